import { canonicalJson, digestOf, type Json, type JsonObject, sameJson } from '../../kernel/index.ts';
import { fillTemplate } from './fill-template.ts';
import { generaliseStep, groupCalls, type StepSeen } from './generalise-calls.ts';
import { slotValues } from './goal-kind.ts';
import { independentExecutions, wentWell } from './independent-executions.ts';
import type { Execution, Procedure, ProcedureStep } from './types.ts';

/** So many independent executions have to have gone well. */
export const NEEDED_EXECUTIONS = 3;
const FEWEST_STEPS = 2;
const MOST_STEPS = 20;
const MOST_PITFALLS = 5;
const LONGEST_NAME = 60;

/** A procedure as it was learned, before anything is known of what it rests on. */
export interface DistilledProcedure {
  readonly procedure: Omit<Procedure, 'basis'>;
  readonly kindKey: string;
  /** The independent executions that did it this way. */
  readonly precedents: readonly Execution[];
  /** Files that its steps always look at, and never change. */
  readonly files: readonly string[];
  readonly tools: readonly string[];
}

/**
 * The way in which executions of one kind of goal were done most often. Undefined while fewer independent ones than needed
 * have gone well in the same way.
 */
export function distilProcedure(executions: readonly Execution[]): DistilledProcedure | undefined {
  const ways = new Map<string, Execution[]>();
  for (const execution of independentExecutions(executions.filter(wentWell), executions)) {
    const way = wayOf(execution);
    const others = ways.get(way);
    if (others) others.push(execution);
    else ways.set(way, [execution]);
  }
  const [best] = [...ways].sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1));
  if (best === undefined || best[1].length < NEEDED_EXECUTIONS) return undefined;
  return describe(best[1], executions);
}

/** The tools that were called, in order. */
function wayOf({ calls }: Pick<Execution, 'calls'>): string {
  return groupCalls(calls)
    .map(({ tool }) => tool)
    .join(' → ');
}

/** Always the same for a kind of goal and a way, so that what is known of it is found again. */
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
  if (seen.length < FEWEST_STEPS || seen.length > MOST_STEPS) return undefined;
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
  return name.slice(0, LONGEST_NAME).toWellFormed().replace(/-+$/, '') || 'procedure';
}

/** What went wrong on the way, in any execution of the kind; only names and codes, because messages may quote anything. */
function pitfallsOf(executions: readonly Execution[]): readonly string[] {
  const seen = executions.filter(({ untrusted }) => !untrusted).flatMap(({ setbacks }) => setbacks);
  return [...new Set(seen)].slice(0, MOST_PITFALLS);
}

/** The checks that the critic made every time, with the values of the goal as slots. */
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

/** Files that steps without effects always look at, and that no call changes. */
function constantFiles(
  precedents: readonly Execution[],
  steps: readonly ProcedureStep[],
  seen: readonly (readonly StepSeen[])[],
): string[] {
  const acting = precedents.flatMap(({ calls }) => calls.filter(({ effects }) => effects));
  const changed = new Set(acting.flatMap(({ input }) => Object.values(input)));
  const paths = steps.flatMap(({ input }, i) => {
    const acts = seen[i]?.some(({ group }) => group.calls.some(({ effects }) => effects));
    const path = input?.['path'];
    return !acts && typeof path === 'string' && !path.includes('{{') && !changed.has(path) ? [path] : [];
  });
  return [...new Set(paths)].sort();
}

/** The same step of every execution. A tool that each called equally often in a row is as many steps, else it is one. */
function seenSteps(precedents: readonly Execution[]): readonly (readonly StepSeen[])[] {
  const all = precedents.map(({ calls, kind }) => groupCalls(calls).map((group) => ({ group, kind })));
  return (all[0] ?? []).flatMap((_, i) => {
    const step = all.map((execution) => execution[i] as StepSeen);
    const count = step[0]?.group.calls.length ?? 0;
    if (step.some(({ group }) => group.calls.length !== count)) return [step];
    return Array.from({ length: count }, (__, j) =>
      step.map(({ group, kind }) => ({ group: { ...group, calls: group.calls.slice(j, j + 1) }, kind })),
    );
  });
}
