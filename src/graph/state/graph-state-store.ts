import type { MemoryTables, Row } from '../../ledger/index.ts';
import { type StateValue, toStateValue } from './graph-state-projection.ts';

/** Reads the state of graphs. Writes go through the ledger, with the step that writes. */
export interface GraphStateStore {
  get(graph: string, key: string): Promise<StateValue | undefined>;
  /** Every key with its newest value, by key. */
  list(graph: string): Promise<readonly StateValue[]>;
  /** The values of a key, newest first. */
  history(graph: string, key: string, limit: number): Promise<readonly StateValue[]>;
}

export class MemoryGraphStateStore implements GraphStateStore {
  readonly #tables: MemoryTables;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  async get(graph: string, key: string): Promise<StateValue | undefined> {
    return toStateValue(this.#tables.get('graph_state', { graph, key }));
  }

  async list(graph: string): Promise<readonly StateValue[]> {
    return this.#values('graph_state', (row) => row['graph'] === graph).sort((a, b) =>
      a.key < b.key ? -1 : 1,
    );
  }

  async history(graph: string, key: string, limit: number): Promise<readonly StateValue[]> {
    return this.#values('graph_state_history', (row) => row['graph'] === graph && row['key'] === key)
      .reverse()
      .slice(0, limit);
  }

  #values(table: string, matches: (row: Row) => boolean): StateValue[] {
    const rows = this.#tables.rows(table).filter(matches);
    rows.sort((a, b) => (a['idx'] as number) - (b['idx'] as number));
    return rows.map(toStateValue).filter((value) => value !== undefined);
  }
}
