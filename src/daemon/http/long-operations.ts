// Owns: operations that drive a run. Over HTTP they answer when the run is recorded, and the daemon continues it.
import type { EventView, OperationName, RunAnswer } from '../../api/index.ts';
import { type Warn, type Warning, warnOf } from '../../kernel/index.ts';
import type { LedgerFeed } from '../../runtime/index.ts';
import type { Calls } from '../calls.ts';

const RUN_STREAM = 'run/';

type CommittedEvent = Pick<EventView, 'stream' | 'type'> & {
  readonly data: Readonly<Record<string, unknown>>;
};

/** The argument that takes a listener. */
const LISTENING: Partial<Record<OperationName, number>> = {
  do: 0,
  'graphs.run': 0,
  'graphs.replay': 1,
  'runs.resume': 0,
  'approvals.approve': 0,
  'tools.call': 0,
};

/** For operations without a listener: the run, if an event is the first one that the operation records. */
const FIRST_EVENT: Partial<
  Record<OperationName, (event: CommittedEvent, input: readonly unknown[]) => string | undefined>
> = {
  'runs.signal': (event, [run]) =>
    event.type === 'run.signalled' && runOf(event) === run ? runOf(event) : undefined,
  'runs.fork': (event, [run, step]) => {
    if (event.type !== 'run.started') return undefined;
    const from = (event.data['lineage'] as { forkedFrom?: { run: string; step: number } }).forkedFrom;
    return from?.run === run && from?.step === step ? runOf(event) : undefined;
  },
  'approvals.deny': (event, [id]) =>
    event.type === 'approval.denied' && event.data['id'] === id ? runOf(event) : undefined,
  'graphs.schedules.trigger': ({ type, data }, [id]) =>
    type === 'schedule.fired' && String(data['firing']).startsWith(`${id}!`)
      ? String(data['run'])
      : undefined,
};

function runOf({ stream }: Pick<EventView, 'stream'>): string | undefined {
  return stream.startsWith(RUN_STREAM) ? stream.slice(RUN_STREAM.length) : undefined;
}

export interface LongParts {
  readonly calls: Calls;
  readonly feed: Pick<LedgerFeed, 'onCommit'>;
  readonly onWarning: Warn;
}

/**
 * Resolves with the run as soon as the operation has recorded its first event, or with the answer if that comes first. What
 * fails later is part of the run; other errors are warnings.
 */
export async function answerEarly(
  { calls, feed, onWarning }: LongParts,
  operation: OperationName,
  input: readonly unknown[],
  warn: (warning: Warning) => void,
): Promise<{ readonly answer: unknown; readonly isDone: boolean }> {
  let onRun: (run: string) => void = () => undefined;
  const begun = new Promise<string>((resolve) => {
    onRun = resolve;
  });
  const note = (run: string | undefined): void => {
    if (run !== undefined) onRun(run);
  };
  const runIn = FIRST_EVENT[operation];
  const stop = feed.onCommit((events) => {
    for (const event of events) note(runIn?.(event, input));
  });
  let isAnswered = false;
  const done = calls
    .run(
      operation,
      withListener(operation, input, (event) => note(runOf(event))),
      warn,
    )
    .catch((error: unknown) => {
      if (!isAnswered) throw error;
      warnOf(onWarning, error, `${operation}: ${(error as Error).message}`);
    });
  try {
    const first = await Promise.race([begun, done.then((answer) => ({ answer }))]);
    if (typeof first !== 'string') return { answer: first.answer, isDone: true };
    isAnswered = true;
    return { answer: (await calls.run('runs.show', [first])) as RunAnswer, isDone: false };
  } finally {
    stop();
  }
}

function withListener(
  operation: OperationName,
  input: readonly unknown[],
  onEvent: (event: EventView) => void,
): readonly unknown[] {
  const place = LISTENING[operation];
  if (place === undefined) return input;
  return input.map((value, i) => (i === place ? { ...(value as object), onEvent } : value));
}
