import type { Failure, Json } from '../kernel/index.ts';
import type { ChildEnd, PendingOutcome, RunState, Waiting } from './run-state.ts';

type Resolved =
  | { readonly kind: 'output'; readonly output: Json }
  | { readonly kind: 'failure'; readonly failure: Failure };

/** The outcome of a pending call once it is available. Pure: depends only on the fold and the time. */
export function resolvedOutcome(
  waiting: Extract<Waiting, { for: 'outcome' }>,
  run: RunState,
  now: number,
): Resolved | undefined {
  const { pending } = waiting;
  switch (pending.kind) {
    case 'timer':
      return now >= pending.at ? { kind: 'output', output: { at: pending.at } } : undefined;
    case 'event': {
      const signal = run.signals.find((candidate) => candidate.event === pending.event);
      if (signal) return { kind: 'output', output: signal.payload };
      if (pending.at === undefined || now < pending.at) return undefined;
      return {
        kind: 'failure',
        failure: {
          code: 'engine.tool_timeout',
          message: `The event "${pending.event}" did not arrive in time.`,
        },
      };
    }
    case 'children':
      return resolvedChildren(pending);
  }
}

function resolvedChildren(pending: Extract<PendingOutcome, { kind: 'children' }>): Resolved | undefined {
  const ends = pending.children.map((child) => pending.ended[child]);
  const failed = pending.children.find(
    (child) => pending.ended[child] && pending.ended[child].status !== 'completed',
  );
  if (pending.onError === 'fail' && failed !== undefined) {
    const end = pending.ended[failed] as ChildEnd;
    const message = `The child run ${failed} ${end.status}: ${end.failure?.message ?? 'no reason given'}`;
    return { kind: 'failure', failure: { code: 'engine.child_failed', message, data: { child: failed } } };
  }
  if (ends.includes(undefined)) return undefined;
  const settled = ends as ChildEnd[];
  if (pending.single && pending.onError === 'fail')
    return { kind: 'output', output: settled[0]?.output ?? null };
  if (pending.onError === 'collect') {
    const output = settled.map((end) => ({
      status: end.status,
      ...(end.output === undefined ? {} : { output: end.output }),
      ...(end.failure === undefined
        ? {}
        : { failure: { code: end.failure.code, message: end.failure.message } }),
    }));
    return { kind: 'output', output };
  }
  return {
    kind: 'output',
    output: settled.filter((end) => end.status === 'completed').map((end) => end.output ?? null),
  };
}

/** When a waiting run can continue on its own, if ever. */
export function dueAt(run: RunState): number | undefined {
  const { waiting } = run;
  if (waiting === undefined) return undefined;
  switch (waiting.for) {
    case 'time':
      return waiting.at;
    case 'approval':
    case 'answer':
      return waiting.expiresAt;
    case 'outcome':
      return waiting.pending.kind === 'children' ? undefined : waiting.pending.at;
    case 'budget':
      return undefined;
  }
}
