import { budgetStream, type RunStore, runStream } from '../../engine/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';

const RUN_PREFIX = runStream('');

interface Started {
  readonly lineage?: { readonly root?: string; readonly resumedFrom?: string };
}

/** Selects the events of one tree of runs, of children that start later, and of a run that continues it. */
export class RunTreeFilter {
  readonly #roots = new Set<string>();
  readonly #runs = new Set<string>();

  /** The tree of a run that is about to start. */
  static ofNewRun(run: string): RunTreeFilter {
    const filter = new RunTreeFilter();
    filter.#roots.add(run);
    filter.#runs.add(run);
    return filter;
  }

  /** The tree of a run that has started, or of one that will. */
  static async load(run: string, runs: Pick<RunStore, 'list' | 'get'>): Promise<RunTreeFilter> {
    const filter = RunTreeFilter.ofNewRun(run);
    let root = (await runs.get(run))?.root;
    while (root !== undefined) {
      filter.#roots.add(root);
      for (const { id } of await runs.list({ root })) filter.#runs.add(id);
      root = (await runs.list({ resumedFrom: root, limit: 1 }))[0]?.id;
    }
    return filter;
  }

  has(run: string): boolean {
    return this.#runs.has(run);
  }

  /** Whether the event belongs to the tree. Events have to be passed in order, because a start adds a run. */
  includes({ stream, type, data }: Pick<LedgerEvent, 'stream' | 'type' | 'data'>): boolean {
    if (!stream.startsWith(RUN_PREFIX)) return this.#isOfTree(stream, data);
    const run = stream.slice(RUN_PREFIX.length);
    if (type === 'run.started') this.#note(run, data as Started);
    return this.#runs.has(run);
  }

  #note(run: string, { lineage = {} }: Started): void {
    const { root = run, resumedFrom = '' } = lineage;
    if (this.#runs.has(resumedFrom)) this.#roots.add(root);
    if (this.#roots.has(root)) this.#runs.add(run);
  }

  /** Other streams name the run that wrote to them, or its root. */
  #isOfTree(stream: string, data: LedgerEvent['data']): boolean {
    for (const root of this.#roots) if (stream === budgetStream(root)) return true;
    return typeof data['run'] === 'string' && this.#runs.has(data['run']);
  }
}
