// Owns: the runs that clients of the MCP server have started, from the call to what it came to. Does not own: what is
// offered, and how a run is started.
import type { CallContext, CallOutcome } from '../../adapters/mcp-server/index.ts';
import type { EventView, OkaApi, RunAnswer } from '../../api/index.ts';
import type { JsonObject } from '../../kernel/index.ts';

const MAX_KNOWN_RUNS = 200;
const RUN = 'run/';
const PROGRESS = new Set(['step.completed', 'tool.completed', 'tool.failed']);

/** Starts a run, and reports the events of its tree. */
type Start = (onEvent: (event: EventView) => void) => Promise<RunAnswer>;

/** Runs behind calls. A call that a client gives up on is cancelled; one that the server closes on can be resumed. */
export class OfferedRuns {
  readonly #api: Pick<OkaApi, 'runs'>;
  readonly #by: string;
  /** The last reported status of each run, newest last. */
  readonly #known = new Map<string, string>();
  #closing = false;

  constructor(api: Pick<OkaApi, 'runs'>, by: string) {
    this.#api = api;
    this.#by = by;
  }

  /** The runs that were started here, the newest first. */
  get started(): readonly string[] {
    return [...this.#known.keys()].reverse();
  }

  /** From now on runs that are cut off are left as they are. */
  close(): void {
    this.#closing = true;
  }

  async call(start: Start, context: CallContext): Promise<CallOutcome> {
    const watch = new RunWatch(context);
    const cancel = (): void => void watch.begun.then(() => this.#cancel(watch.run));
    try {
      if (context.signal.aborted) return CANCELLED;
      context.signal.addEventListener('abort', cancel, { once: true });
      const answer = await start((event) => watch.see(event));
      this.#keep(answer);
      return outcomeOf(answer);
    } finally {
      context.signal.removeEventListener('abort', cancel);
      watch.end();
    }
  }

  /** The runs whose status differs from the last reported one. */
  async changed(): Promise<readonly string[]> {
    const waiting = [...this.#known].filter(([, status]) => !ENDED.has(status));
    const looks = waiting.map(async ([run, was]) => {
      const answer = await this.#api.runs.show(run);
      if (answer.run.status === was) return [];
      this.#keep(answer);
      return [run];
    });
    return (await Promise.all(looks)).flat();
  }

  #keep({ run: { id, status } }: RunAnswer): void {
    this.#known.set(id, status);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN_RUNS && oldest !== undefined) this.#known.delete(oldest);
  }

  async #cancel(run: string | undefined): Promise<void> {
    if (run === undefined || this.#closing) return;
    // A run that has ended meanwhile cannot be cancelled, and need not be.
    await this.#api.runs.cancel(run, this.#by, 'the client gave up on the call').catch(() => undefined);
  }
}

const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);
const CANCELLED: CallOutcome = { ok: false, code: 'engine.cancelled', message: 'The call was cancelled.' };

/** Finds the run that a call started, and reports the steps of its tree to the client. */
class RunWatch {
  readonly begun: Promise<void>;
  run: string | undefined;
  readonly #context: CallContext;
  #begin: () => void = () => undefined;
  #done = 0;

  constructor(context: CallContext) {
    this.#context = context;
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  see({ stream, type, data }: EventView): void {
    if (!stream.startsWith(RUN)) return;
    const id = stream.slice(RUN.length);
    if (type === 'run.started') this.#start(id, data as JsonObject);
    if (!PROGRESS.has(type)) return;
    const { tool, state } = data as { tool?: string; state?: string };
    this.#context.progress(++this.#done, tool ?? state ?? type);
  }

  end(): void {
    this.#begin();
  }

  #start(id: string, { lineage }: JsonObject): void {
    const { parent } = (lineage ?? {}) as { parent?: string };
    if (parent !== undefined) return;
    this.run = id;
    this.#context.log('debug', { run: id });
    this.#begin();
  }
}

/** A run's result for a client: its output, its failure or what it waits for. */
function outcomeOf({ run, output }: RunAnswer): CallOutcome {
  const { id, status, failure, waitingFor } = run;
  if (status === 'completed') return { ok: true, output, run: id };
  if (status === 'failed' || status === 'cancelled') {
    const { code, message } = failure ?? { code: 'engine.cancelled', message: `Run ${id} was cancelled.` };
    return { ok: false, code, message, run: id };
  }
  const approval = waitingFor?.approval;
  const why = waitingFor
    ? `it ${status === 'paused' ? 'is paused' : 'waits'}: ${waitingFor.detail}`
    : `it is ${status}`;
  const next = waitingFor?.next ?? `oka runs resume ${id}`;
  const message = `Run ${id} has not ended, for ${why}. A person continues it with: ${next}. Then read oka://run/${id}.`;
  return { ok: 'waiting', message, run: id, ...(approval === undefined ? {} : { approvalId: approval }) };
}
