import {
  canonicalJson,
  digestOf,
  groupBy,
  type Json,
  type JsonObject,
  sameJson,
} from '../../kernel/index.ts';
import { generaliseStep, groupCalls, type SeenStep } from './generalise-calls.ts';
import { fillTemplate, slotValues } from './goal-kind.ts';
import { hasSucceeded, independentExecutions } from './independent-executions.ts';
import type { Execution, Procedure, ProcedureStep } from './types.ts';

/** How many independent successful executions a procedure needs. */
export const NEEDED_EXECUTIONS = 3;
const MIN_STEPS = 2;
const MAX_STEPS = 20;
const MAX_PITFALLS = 5;
const MAX_NAME_LENGTH = 60;

/** A learned procedure without the versions of its basis. */
export interface DistilledProcedure {
  readonly procedure: Omit<Procedure, 'basis'>;
  readonly kindKey: string;
  /** The independent executions that it was learned from. */
  readonly precedents: readonly Execution[];
  /** Files that every execution reads and none changes. */
  readonly files: readonly string[];
  readonly tools: readonly string[];
}

/**
 * Learns the most frequent way to reach one kind of goal. Undefined until enough independent executions succeeded in
 * the same way.
 */
export function distilProcedure(executions: readonly Execution[]): DistilledProcedure | undefined {
  const ways = groupBy(independentExecutions(executions.filter(hasSucceeded), executions), wayOf);
  const [best] = [...ways].sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1));
  if (best === undefined || best[1].length < NEEDED_EXECUTIONS) return undefined;
  return describe(best[1], executions);
}

/** Whether a way that succeeded has enough steps for a procedure. A single call is as short as the goal itself. */
export function canBecomeProcedure(executions: readonly Execution[]): boolean {
  const succeeded = executions.filter(hasSucceeded);
  if (succeeded.length === 0) return true;
  return [...groupBy(succeeded, wayOf).values()].some((same) => isOfSize(seenSteps(same)));
}

function isOfSize({ length }: readonly unknown[]): boolean {
  return length >= MIN_STEPS && length <= MAX_STEPS;
}

/** The called tools, in order. */
function wayOf({ calls }: Pick<Execution, 'calls'>): string {
  return groupCalls(calls)
    .map(({ tool }) => tool)
    .join(' → ');
}

/** The same for a kind of goal and a way, so that a procedure is recognised again. */
function idOfWay(kindKey: string, way: string): string {
  return `learned.${digestOf(`${kindKey}\n${way}`)
    .replace(/^sha256:/, '')
    .slice(0, 16)}`;
}

function describe(
  precedents: readonly Execution[],
  all: readonly Execution[],
): DistilledProcedure | undefined {
  const [first] = precedents as [Execution];
  const seen = seenSteps(precedents);
  if (!isOfSize(seen)) return undefined;
  const steps = seen.map(generaliseStep);
  const { key, phrase } = first.kind;
  const words = phrase.split(' ').filter((word) => !word.startsWith('{{'));
  const tools = [...new Set(steps.map(({ tool }) => tool as string))];
  return {
    kindKey: key,
    precedents,
    tools,
    files: constantFiles(precedents, steps, seen),
    procedure: {
      id: idOfWay(key, wayOf(first)),
      name: nameOf(phrase),
      origin: 'promoted',
      trigger: { phrases: [phrase], words },
      steps,
      pitfalls: pitfallsOf(all),
      checklist: checklistOf(precedents),
      lastValidatedAt: Math.max(...precedents.map(({ endedAt }) => endedAt)),
    },
  };
}

function nameOf(phrase: string): string {
  const name = phrase
    .replaceAll(/\{\{([a-z]+)\d+\}\}/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  return name.slice(0, MAX_NAME_LENGTH).toWellFormed().replace(/-+$/, '') || 'procedure';
}

/** The failures of all executions of the kind. Only names and codes, because messages may quote anything. */
function pitfallsOf(executions: readonly Execution[]): readonly string[] {
  const seen = executions.filter(({ untrusted }) => !untrusted).flatMap(({ setbacks }) => setbacks);
  return [...new Set(seen)].slice(0, MAX_PITFALLS);
}

/** The checks that the critic made in every execution, with the goal's values as slots. */
function checklistOf(precedents: readonly Execution[]): readonly string[] {
  const [first, ...others] = precedents as [Execution, ...Execution[]];
  const templates = first.criteria.map((criterion) => withSlots(criterion, slotValues(first.kind)));
  const always = templates.filter((template) =>
    others.every(({ criteria, kind }) =>
      criteria.some((criterion) => sameJson(criterion, fillTemplate(template, slotValues(kind)) ?? null)),
    ),
  );
  return [...new Set(always.map((template) => canonicalJson(template)))];
}

function withSlots(value: Json, values: JsonObject): Json {
  const slot = Object.entries(values).find(([, given]) => sameJson(given, value));
  if (slot !== undefined) return `{{${slot[0]}}}`;
  if (Array.isArray(value)) return (value as Json[]).map((member) => withSlots(member, values));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withSlots(member, values)]));
}

/** Files that steps without effects always read, and that no call changes. */
function constantFiles(
  precedents: readonly Execution[],
  steps: readonly ProcedureStep[],
  seen: readonly (readonly SeenStep[])[],
): string[] {
  const effectful = precedents.flatMap(({ calls }) => calls.filter(({ effects }) => effects));
  const changed = new Set(effectful.flatMap(({ input }) => Object.values(input)));
  const paths = steps.flatMap(({ input }, i) => {
    const acts = seen[i]?.some(({ group }) => group.calls.some(({ effects }) => effects));
    const path = input?.['path'];
    return !acts && typeof path === 'string' && !path.includes('{{') && !changed.has(path) ? [path] : [];
  });
  return [...new Set(paths)].sort();
}

/** Aligns the steps of all executions. A tool that each called equally often in a row is as many steps, otherwise one. */
function seenSteps(precedents: readonly Execution[]): readonly (readonly SeenStep[])[] {
  const all = precedents.map(({ calls, kind }) => groupCalls(calls).map((group) => ({ group, kind })));
  return (all[0] ?? []).flatMap((_, i) => {
    const step = all.map((execution) => execution[i] as SeenStep);
    const count = step[0]?.group.calls.length ?? 0;
    if (step.some(({ group }) => group.calls.length !== count)) return [step];
    return Array.from({ length: count }, (__, j) =>
      step.map(({ group, kind }) => ({ group: { ...group, calls: group.calls.slice(j, j + 1) }, kind })),
    );
  });
}
