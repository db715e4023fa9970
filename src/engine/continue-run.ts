import type { Digest, JsonObject } from '../kernel/index.ts';
import { OkaError } from '../kernel/index.ts';
import type { LedgerEvent, StreamAppend } from '../ledger/index.ts';
import type { EngineParts } from './engine-parts.ts';
import { applyRunEvent, foldRun } from './fold-run.ts';
import { loadRun } from './load-run.ts';
import { hostsNamedBy } from './named-hosts.ts';
import { newRunEvent, pinnedGraph, requireKind, requireState } from './new-run.ts';
import { type CarriedState, runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';
import type { StateGraph } from './state-graph.ts';
import type { RunId } from './types.ts';

/** The id and the digest of a start that has a key. */
export interface KeyedStart {
  readonly id?: string;
  readonly asked?: Digest;
}

/** Starts a new run from the last good point of a failed or cancelled one. It inherits the used budgets. */
export async function continueFailedRun(id: string, parts: EngineParts, graph?: StateGraph): Promise<RunId> {
  const failed = await loadRun(id, parts);
  const events = await parts.events.read(runStream(id));
  requireContent(id, events);
  const good = foldRun(events.slice(0, countGoodEvents(events))) ?? failed;
  const intent = foldRun(events.filter(({ type }) => !END_TYPES.has(type)))?.intent;
  const base = carry(good, failed);
  return startFrom(
    failed,
    intent === undefined
      ? base
      : { ...base, step: Math.max(base.step, intent.step + 1), intent: { ...intent, answer: '' } },
    { resumedFrom: failed.id, origin: failed.lineage.origin },
    parts,
    { graph },
  );
}

/** Starts a new run from before step `step` of another, with changed variables if given. */
export async function forkRun(
  id: string,
  step: number,
  vars: JsonObject,
  parts: EngineParts,
  start: KeyedStart = {},
): Promise<RunId> {
  const events = await parts.events.read(runStream(id));
  requireContent(id, events);
  let run: RunState | undefined;
  for (const event of events) {
    if (run !== undefined && run.step >= step && event.data['step'] === step) break;
    run = applyRunEvent(run, event);
    if (run.ended) break;
  }
  if (run === undefined || step < 1 || run.step < step) {
    throw new OkaError(
      'engine.invalid_decision',
      `Run ${id} has no step ${step}. It took ${(run?.step ?? 1) - 1} steps.`,
      { data: { run: id, step } },
    );
  }
  const namedHosts = [...(run.namedHosts ?? []), ...hostsNamedBy(vars)];
  const forked = { ...run, vars: { ...run.vars, ...vars }, namedHosts };
  return startFrom(forked, carry(run, run), { forkedFrom: { run: id as RunId, step } }, parts, { start });
}

/** A run with erased content cannot be continued, because its goal or evidence is missing. */
function requireContent(id: string, events: readonly LedgerEvent[]): void {
  if (!events.some((event) => event.bodyErased)) return;
  throw new OkaError('engine.content_erased', `The content of run ${id} was erased. Start a new run.`, {
    data: { run: id },
  });
}

async function startFrom(
  run: RunState,
  base: CarriedState,
  link: { resumedFrom?: RunId; forkedFrom?: { run: RunId; step: number }; origin?: string },
  parts: EngineParts,
  { graph, start = {} }: { readonly graph?: StateGraph | undefined; readonly start?: KeyedStart },
): Promise<RunId> {
  if (graph) requireState(graph, run.id, base.state);
  const id = (start.id ?? parts.ids.next()) as RunId;
  const kind = requireKind(run.kind, parts);
  const pinned = await pinnedGraph(run.pins, kind, parts);
  const draft = await newRunEvent(
    {
      kind: run.kind,
      goal: run.goal,
      vars: run.vars,
      limits: run.limits,
      untrusted: run.untrusted,
      namedHosts: run.namedHosts ?? [],
      group: run.group,
      ...(run.subject === undefined ? {} : { subject: run.subject }),
      lineage: { root: id, depth: 0, origin: id, ...link },
      graph: graph ?? pinned,
      ...(start.asked === undefined ? {} : { asked: start.asked }),
      base,
    },
    parts,
  );
  const append: StreamAppend = { stream: runStream(id), expectedIndex: 0, events: [draft] };
  await parts.events.commit({ actor: parts.actor, sync: 'full', appends: [append] });
  return id;
}

function carry(at: RunState, spent: RunState): CarriedState {
  const { state, step, evidence, artifacts, visits, latest } = at;
  const stay = { since: at.stay.since, last: at.stay.last };
  return { state, step, evidence, artifacts, visits, latest, stay, used: spent.used };
}

const END_TYPES = new Set(['run.failed', 'run.cancelled']);

const FAILURE_TYPES = new Set([
  'run.failed',
  'run.cancelled',
  'run.cancel_requested',
  'approval.denied',
  'approval.expired',
  'approval.requested',
  'tool.failed',
  'tool.intended',
  'model.reserved',
  'hook.ran',
  'remediation.retried',
  'budget.exhausted',
  'run.claimed',
]);

/** The number of events before the failure: the failing tail is everything after the last success. */
function countGoodEvents(events: readonly LedgerEvent[]): number {
  // After its end a run can be undone or corrected, which is no progress.
  let length = events.findLastIndex(({ type }) => END_TYPES.has(type)) + 1 || events.length;
  while (length > 1) {
    const event = events[length - 1] as LedgerEvent;
    const failedStep = event.type === 'step.completed' && event.data['outcome'] !== 'ok';
    if (!failedStep && !FAILURE_TYPES.has(event.type)) break;
    length -= 1;
  }
  return length;
}
