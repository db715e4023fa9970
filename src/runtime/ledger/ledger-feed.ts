// Owns: the ledger as a feed for live views: events in order with the run tree and conversation they belong to, and the text of
// models as it streams. Does not own: who follows it.
import { SqlChatRecords } from '../../adapters/sql/index.ts';
import { conversationOf } from '../../chat/index.ts';
import { budgetStream, missingRun, runStream } from '../../engine/index.ts';
import type { EpochMs, Json } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import { RunTreeFilter } from '../runs/run-tree-filter.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import type { OpenLedger } from './open-ledger.ts';

const RUN_PREFIX = runStream('');
const BUDGET_PREFIX = budgetStream('');
/** Enough for all runs that are active at once; others are looked up again. */
const MAX_KNOWN_RUNS = 10_000;

/** An event of the ledger, and the run tree and conversation it belongs to. */
export interface FeedEvent {
  readonly position: number;
  readonly stream: string;
  readonly type: string;
  readonly at: EpochMs;
  readonly run?: string;
  readonly root?: string;
  readonly conversation?: string;
  readonly data: LedgerEvent['data'];
  readonly body?: Json;
}

/** A piece of a model's answer. It is not stored. */
export interface FeedText {
  readonly run: string;
  readonly root?: string;
  readonly conversation?: string;
  /** The notification that the run answers. */
  readonly turn?: string;
  readonly text: string;
}

/** Selects the events and the runs of one tree. Events have to be passed in order. */
export type RunTree = Pick<RunTreeFilter, 'includes' | 'has'>;

interface RunFacts {
  readonly root?: string;
  readonly conversation?: string;
  readonly turn?: string;
}

export class LedgerFeed {
  readonly #ledger: OpenLedger;
  readonly #records: SqlChatRecords;
  readonly #listen: WorkspaceServices['listen'];
  readonly #known = new Map<string, RunFacts>();

  constructor(ledger: OpenLedger, services: Pick<WorkspaceServices, 'listen'>) {
    this.#ledger = ledger;
    this.#records = new SqlChatRecords(ledger.tables);
    this.#listen = services.listen;
  }

  /** The position of the last event. */
  async head(): Promise<number> {
    return (await this.#ledger.store.head()).seq;
  }

  /** Up to `limit` events after a position. They are durable, so that no position can be given to another event later. */
  async readAfter(position: number, limit: number): Promise<readonly FeedEvent[]> {
    const events = await this.#ledger.store.readAfter(position, limit);
    if (events.length > 0) await this.#ledger.store.makeDurable();
    const shown: FeedEvent[] = [];
    for (const event of events) shown.push(await this.#show(event));
    return shown;
  }

  /** Calls the listener with the events that this process commits. Other processes commit too. */
  onCommit(listener: (events: readonly LedgerEvent[]) => void): () => void {
    return this.#ledger.store.subscribe(listener);
  }

  /** Calls the listener with the text of the runs of this process, without secrets. */
  onText(listener: (piece: { readonly run: string; readonly text: string }) => void): () => void {
    return this.#listen(listener);
  }

  async describeText(piece: { readonly run: string; readonly text: string }): Promise<FeedText> {
    return { ...piece, ...(await this.#factsOf(piece.run)) };
  }

  /** Selects the events of the tree of a run. Throws if there is no such run. */
  async treeOf(run: string): Promise<RunTree> {
    const found = await this.#ledger.runs.get(run);
    if (found === undefined) throw await missingRun(run, this.#ledger.store);
    return RunTreeFilter.load(run, this.#ledger.runs);
  }

  async #show({ seq, stream, type, at, data, body }: LedgerEvent): Promise<FeedEvent> {
    const run = runOf(stream, data);
    if (type === 'run.started' && run !== undefined) this.#noteStart(run, data as Started);
    const { root, conversation = conversationOf(stream) } =
      run === undefined ? rootOfBudget(stream) : await this.#factsOf(run);
    return {
      position: seq,
      stream,
      type,
      at,
      ...(run === undefined ? {} : { run }),
      ...(root === undefined ? {} : { root }),
      ...(conversation === undefined ? {} : { conversation }),
      data,
      ...(body === undefined ? {} : { body }),
    };
  }

  #noteStart(run: string, { lineage = {}, group }: Started): void {
    const { root = run } = lineage;
    this.#remember(run, { root, ...(group === undefined ? {} : { conversation: group }) });
  }

  async #factsOf(run: string): Promise<RunFacts> {
    const known = this.#known.get(run);
    if (known !== undefined && (known.conversation === undefined || known.turn !== undefined)) return known;
    const root = known?.root ?? (await this.#ledger.runs.get(run))?.root;
    if (root === undefined) return {};
    const turn = await this.#records.ofRun(root);
    const conversation = known?.conversation ?? turn?.conversation;
    const facts = {
      root,
      ...(conversation === undefined ? {} : { conversation }),
      ...(turn === undefined ? {} : { turn: turn.id }),
    };
    this.#remember(run, facts);
    return facts;
  }

  #remember(run: string, facts: RunFacts): void {
    this.#known.delete(run);
    this.#known.set(run, facts);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > MAX_KNOWN_RUNS) this.#known.delete(oldest);
  }
}

interface Started {
  readonly lineage?: { readonly root?: string };
  /** The conversation of the run; child runs have that of their parent. */
  readonly group?: string;
}

function runOf(stream: string, data: LedgerEvent['data']): string | undefined {
  if (stream.startsWith(RUN_PREFIX)) return stream.slice(RUN_PREFIX.length);
  return typeof data['run'] === 'string' ? data['run'] : undefined;
}

function rootOfBudget(stream: string): RunFacts {
  return stream.startsWith(BUDGET_PREFIX) ? { root: stream.slice(BUDGET_PREFIX.length) } : {};
}
