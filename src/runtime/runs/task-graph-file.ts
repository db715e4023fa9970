// Owns: active_task_graph.json as a projection of the ledger: the newest unfinished goal with the statuses of its tasks.
// I1 The file follows commits and is never read to decide anything; other content in it is replaced.
// I2 A goal that cannot be shown, or a file that cannot be written, stops no run.
import { TaskGraphJson } from '../../adapters/workspace/index.ts';
import { type TaskGraphView, taskGraphOf } from '../../assistant/index.ts';
import type { RunStatus, RunStore, RunSummary } from '../../engine/index.ts';
import type { JsonObject } from '../../kernel/index.ts';
import type { EventStore, LedgerEvent } from '../../ledger/index.ts';

const UNFINISHED: readonly RunStatus[] = ['pending', 'running', 'waiting', 'paused'];

export interface TaskGraphFileParts {
  readonly file: Pick<TaskGraphJson, 'read' | 'write' | 'remove'>;
  readonly events: Pick<EventStore, 'read' | 'subscribe'>;
  readonly runs: Pick<RunStore, 'list' | 'get'>;
  /** Learns once that the file cannot be kept. */
  readonly onWarning?: ((what: string) => void) | undefined;
}

/** Keeps `active_task_graph.json` as the ledger has it. */
export class TaskGraphFile {
  readonly #parts: TaskGraphFileParts;
  /** The runs of assistants and of their tasks; nothing else can change the file. */
  readonly #followed = new Set<string>();
  #stop: (() => void) | undefined;
  #refreshing: Promise<unknown> | undefined;
  #again = false;
  #troubled = false;

  constructor(parts: TaskGraphFileParts) {
    this.#parts = parts;
  }

  /** Updates the file and follows the ledger. True if the file had other content. */
  async start(): Promise<boolean> {
    this.#stop ??= this.#parts.events.subscribe(this.#note);
    return (
      (await this.#carefully(async () => {
        const goal = await this.#newestGoal();
        if (goal !== undefined) await this.#follow(goal.id);
        return this.#replace();
      })) ?? false
    );
  }

  /** Updates the file a last time and stops. */
  async close(): Promise<void> {
    this.#stop?.();
    this.#stop = undefined;
    while (this.#refreshing !== undefined) await this.#refreshing;
  }

  #note = (events: readonly LedgerEvent[]): void => {
    let touched = false;
    for (const { stream, type, data } of events) {
      const run = stream.startsWith('run/') ? stream.slice('run/'.length) : undefined;
      if (run === undefined) continue;
      const { kind, lineage } = data as JsonObject;
      const { parent } = (lineage ?? {}) as { readonly parent?: string };
      if (
        type === 'run.started' &&
        (kind === 'assistant' || (parent !== undefined && this.#followed.has(parent)))
      )
        this.#followed.add(run);
      touched ||= this.#followed.has(run);
    }
    if (touched) this.#refresh();
  };

  /** One refresh at a time; what comes meanwhile is in the next. */
  #refresh(): void {
    if (this.#refreshing !== undefined) {
      this.#again = true;
      return;
    }
    this.#again = false;
    this.#refreshing = this.#carefully(() => this.#replace()).finally(() => {
      this.#refreshing = undefined;
      if (this.#again) this.#refresh();
    });
  }

  async #replace(): Promise<boolean> {
    const { file } = this.#parts;
    const goal = await this.#newestGoal();
    const view = goal && (await this.#viewOf(goal));
    const before = file.read();
    const text = view && `${JSON.stringify({ version: 1, ...view }, null, 2)}\n`;
    if (text === before) return false;
    if (text === undefined) file.remove();
    else file.write(text);
    return true;
  }

  async #newestGoal(): Promise<RunSummary | undefined> {
    const { runs } = this.#parts;
    const found = await Promise.all(
      UNFINISHED.map((status) => runs.list({ kind: 'assistant', status, limit: 20 })),
    );
    return found
      .flat()
      .filter(({ parent }) => parent === undefined)
      .sort((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1))[0];
  }

  async #viewOf({ id, status }: RunSummary): Promise<(TaskGraphView & { status: RunStatus }) | undefined> {
    const statuses = new Map<string, RunStatus>();
    for (const child of await this.#parts.runs.list({ parent: id })) statuses.set(child.id, child.status);
    const view = taskGraphOf(await this.#parts.events.read(`run/${id}`), (child) => statuses.get(child));
    return view && { ...view, status };
  }

  async #follow(run: string): Promise<void> {
    this.#followed.add(run);
    for (const { id } of await this.#parts.runs.list({ parent: run as RunSummary['id'] }))
      this.#followed.add(id);
  }

  /** Reports an error once and retries with the next commit. */
  async #carefully<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!this.#troubled) {
        this.#troubled = true;
        this.#parts.onWarning?.(`active_task_graph.json could not be kept: ${(error as Error).message}`);
      }
      return undefined;
    }
  }
}

/** Keeps the file up to date from now on; reports if it had other content. */
export async function followTasks(
  parts: Omit<TaskGraphFileParts, 'file'> & {
    readonly directory: string;
    readonly onRepaired: (what: string) => void;
  },
): Promise<TaskGraphFile> {
  const { directory, onRepaired, ...rest } = parts;
  const file = new TaskGraphFile({ ...rest, file: new TaskGraphJson(directory) });
  if (await file.start()) onRepaired('Wrote active_task_graph.json again: it was not what the ledger says.');
  return file;
}
