import { type Json, type JsonObject, renderTemplate } from '../../kernel/index.ts';
import { stem, TextIndex, tokenise } from '../../retrieval/index.ts';
import { fillTemplate, isFiller, kindOfGoal, slotValues } from './goal-kind.ts';
import type { ReadGoalPieces } from './ports.ts';
import type { GoalKind, Procedure, ProcedureStatus, ProcedureStep } from './types.ts';

export interface OfferableProcedure {
  readonly procedure: Procedure;
  readonly status: ProcedureStatus;
}

/** A procedure that may fit a goal. */
export interface FoundProcedure extends OfferableProcedure {
  /** From 0 to 1. */
  readonly score: number;
  readonly why: string;
  /** The steps with the goal's values, if the goal has exactly the kind of the procedure. */
  readonly steps?: readonly ProcedureStep[];
  /** Every step is an exact call, so that no model is needed. */
  readonly executable: boolean;
  /** The checks of a learned procedure with the goal's values, if the goal has exactly its kind. */
  readonly checks?: readonly JsonObject[];
}

/** The minimum share of common words; less is chance. */
const MIN_COMMON_SHARE = 0.5;
/** Unproven candidates rank below promoted procedures. */
const CANDIDATE_SHARE = 0.9;

/** Finds procedures for a goal, best first: exact kinds of goal, then by the words of their triggers. */
export function findProcedures(
  goal: string,
  offerable: readonly OfferableProcedure[],
  options: { readonly limit: number; readonly read: ReadGoalPieces },
): readonly FoundProcedure[] {
  const kind = kindOfGoal(goal, options.read);
  const words = wordsOf(goal, options.read);
  const byId = new Map(offerable.map((one) => [one.procedure.id, one]));
  const found = new Map<string, FoundProcedure>();
  for (const one of offerable) {
    const exact = kind && exactMatch(one, kind, options.read);
    if (exact) found.set(one.procedure.id, exact);
  }
  const hits = indexOf(offerable).search(words.join(' '), offerable.length);
  const best = hits[0]?.score ?? 1;
  for (const { id, score, terms } of hits) {
    const one = byId.get(id) as OfferableProcedure;
    const common = terms.length / Math.max(1, new Set(words).size);
    if (found.has(id) || common < MIN_COMMON_SHARE) continue;
    const share = one.status === 'candidate' ? CANDIDATE_SHARE : 1;
    const weight = Math.round((score / best) * common * share * 0.9 * 1_000) / 1_000;
    found.set(id, {
      ...one,
      score: weight,
      why: `it shares the words ${terms.join(', ')}`,
      executable: false,
    });
  }
  return [...found.values()]
    .sort((a, b) => b.score - a.score || (a.procedure.id < b.procedure.id ? -1 : 1))
    .slice(0, options.limit);
}

function exactMatch(
  one: OfferableProcedure,
  kind: GoalKind,
  read: ReadGoalPieces,
): FoundProcedure | undefined {
  const phrase = one.procedure.trigger.phrases.find((trigger) => keyOfPhrase(trigger, read) === kind.key);
  if (phrase === undefined) return undefined;
  const values = slotValues(kind);
  const { steps } = one.procedure;
  const known = steps.every(({ input = {} }) => fillTemplate(input, values) !== undefined);
  return {
    ...one,
    score: one.status === 'candidate' ? CANDIDATE_SHARE : 1,
    why: `it is for goals such as "${phrase}"`,
    ...(known
      ? { steps: steps.map((step) => fillStep(step, values)), checks: checksOf(one.procedure, values) }
      : {}),
    executable:
      known &&
      steps.length > 0 &&
      steps.every(({ tool, input }) => tool !== undefined && input !== undefined),
  };
}

/** The learned checks. Checklists of written procedures are plain text. */
function checksOf({ origin, checklist }: Procedure, values: JsonObject): readonly JsonObject[] {
  if (origin !== 'promoted') return [];
  return checklist.flatMap((check) => {
    const filled = fillTemplate(JSON.parse(check) as JsonObject, values);
    return filled === undefined ? [] : [filled as JsonObject];
  });
}

const SLOT = /\{\{([a-z]+)\d+\}\}/g;
/** A sample value for each slot of a phrase, to read the phrase as a goal. */
const SAMPLES: Readonly<Record<string, string>> = {
  path: 'some/path',
  quoted: '"text"',
  number: '1',
  date: '2026-01-31',
  url: 'https://example.com',
};

/** The key of the goals that a trigger phrase matches. */
function keyOfPhrase(phrase: string, read: ReadGoalPieces): string | undefined {
  return kindOfGoal(
    phrase.replaceAll(SLOT, (place, kind: string) => SAMPLES[kind] ?? place),
    read,
  )?.key;
}

function fillStep(step: ProcedureStep, values: JsonObject): ProcedureStep {
  const { title, acceptance, input, tool } = step;
  const text = (template: string): string =>
    String(renderTemplate(template, values, (path) => `{{${path}}}`));
  return {
    title: text(title),
    ...(tool === undefined ? {} : { tool }),
    ...(input === undefined ? {} : { input: fillTemplate(input, values) as JsonObject }),
    ...(acceptance === undefined
      ? {}
      : { acceptance: acceptance.map((one) => (fillTemplate(one, values) ?? one) as JsonObject) }),
  };
}

function wordsOf(goal: string, read: ReadGoalPieces): readonly string[] {
  return read(goal)
    .filter(({ kind, text }) => kind === 'word' && !isFiller(text))
    .flatMap(({ text }) => tokenise(text).map(stem));
}

function indexOf(offerable: readonly OfferableProcedure[]): TextIndex {
  const index = new TextIndex({ triggers: 2 });
  for (const { procedure } of offerable) {
    const { id, name, description = '', trigger } = procedure;
    index.add(id, { triggers: [...trigger.phrases, ...trigger.words].join(' '), description, name });
  }
  return index;
}

const ANY_SLOT = /\{\{[^{}]*\}\}/;

/**
 * Whether a learned procedure can be tried without a model: every step is an exact call, and every text in it comes
 * from the goal. A text that merely never changed may come from untrusted content.
 */
export function isDeterminedByGoal({ steps, trigger }: Pick<Procedure, 'steps' | 'trigger'>): boolean {
  const phrase = trigger.phrases.join('\n').toLowerCase();
  const isFromGoal = (text: string): boolean => ANY_SLOT.test(text) || phrase.includes(text.toLowerCase());
  return (
    steps.length > 0 &&
    steps.every(
      ({ tool, input }) => tool !== undefined && input !== undefined && textsIn(input).every(isFromGoal),
    )
  );
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap((member) => textsIn(member as Json));
}
