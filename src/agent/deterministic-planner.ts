import { type Decision, hasEffects, type PlanInput, type Planner, type ToolFace } from '../engine/index.ts';
import { findMark, type JsonObject } from '../kernel/index.ts';
import {
  type CorrectedGoal,
  correctSpelling,
  type Goal,
  KnownWords,
  readGoal,
  TOOL_VERBS,
} from '../language/index.ts';
import { stem, TextIndex, tokenise } from '../retrieval/index.ts';
import { ABILITIES, asksForAbilities, planAbilities } from './abilities.ts';
import { readTool, type ToolReading } from './certain-tool.ts';
import { explainRefusal } from './explain-refusal.ts';
import { fail, goTo } from './findings.ts';
import { planWithTool, reasonForTool } from './plan-with-tool.ts';
import { type Acceptance, procedureAcceptance } from './procedures/acceptance.ts';
import { BUILT_IN_PROCEDURES } from './procedures/built-in-procedures.ts';
import { GENERAL_WORDS } from './procedures/read-task.ts';
import type { Procedure } from './types.ts';

export interface DeterministicPlannerOptions {
  readonly procedures?: readonly Procedure[];
}

/** The plan for a goal without a model, as far as it is known before the run. */
type Understanding =
  | {
      readonly by: 'procedure' | 'tool';
      readonly name: string;
      /** Whether it may change something. */
      readonly effects: boolean;
      /** Parameters that the goal does not name, so a person must. */
      readonly missing: readonly string[];
      /** How to verify the result. */
      readonly acceptance: readonly Acceptance[];
    }
  | { readonly by: 'nothing'; readonly why: string };

/** A planner that can also explain how it reads a goal. */
export interface DeterministicPlanner extends Planner {
  /** With `only` it skips the slower search for a tool. */
  understand(goal: string, tools: readonly ToolFace[], only?: 'procedure'): Understanding;
  /** Whether a goal begins with the phrase's verb and has its other words in order. */
  fits(phrase: string, goal: string): boolean;
}

/**
 * Plans without a model: by a procedure that the goal calls for, else with the one tool that it names. A pure function of
 * its input. When it is not certain it asks or fails; it never guesses a destructive call.
 */
export function deterministicPlanner(options: DeterministicPlannerOptions = {}): DeterministicPlanner {
  const procedures = options.procedures ?? BUILT_IN_PROCEDURES;
  return {
    name: 'deterministic',
    version: '3',
    deterministic: true,
    plan: (input) => plan(input, procedures),
    understand: (text, tools, only) => understand(readGoal(text), tools, procedures, only),
    fits: (phrase, text) => fitsTrigger(phrase, readGoal(text)),
  };
}

function plan(input: PlanInput, procedures: readonly Procedure[]): Decision | Promise<Decision> {
  const mark = findMark(input.goal);
  if (mark !== undefined) {
    const why = `The goal contains a secret (${mark}), which Oka hides from its record, so it cannot search for it or write it. Leave it out of the goal.`;
    return fail('agent.goal_not_understood', why, 'a part of the goal is hidden');
  }
  const goal = readGoal(input.goal);
  if (asksForAbilities(goal.text)) return planAbilities(input, procedures);
  const reading = read(goal, procedures, input.allTools);
  if (reading === undefined) {
    const why = notUnderstood(goal, procedures, input.allTools);
    return fail('agent.goal_not_understood', why, 'no procedure and no tool fits the goal with certainty');
  }
  const { matched, call } = reading;
  if (input.state !== 'intake')
    return matched ? matched.procedure.plan(input, matched.parameters) : planWithTool(input, call);
  const spelling = reading.corrections.map((correction) => `reading ${correction}, `).join('');
  if (!matched) return goTo('explore', spelling + reasonForTool(call.chosen));
  const { procedure, parameters, trigger } = matched;
  const values = JSON.stringify(parameters);
  return goTo('explore', `${spelling}"${trigger}" calls for the procedure ${procedure.name} with ${values}`);
}

function understand(
  goal: Goal,
  tools: readonly ToolFace[],
  procedures: readonly Procedure[],
  only: 'procedure' | undefined,
): Understanding {
  if (asksForAbilities(goal.text))
    return { by: 'procedure', name: ABILITIES, effects: false, missing: [], acceptance: [] };
  const reading = read(goal, procedures, tools, only);
  if (reading === undefined)
    return {
      by: 'nothing',
      why: only ? 'no procedure fits the goal' : notUnderstood(goal, procedures, tools),
    };
  if (reading.matched) {
    const { procedure, parameters } = reading.matched;
    const { effects, acceptance } = procedureAcceptance(procedure.name, parameters);
    return { by: 'procedure', name: procedure.name, effects, missing: [], acceptance };
  }
  const { tool, input, missing } = reading.call.chosen;
  return {
    by: 'tool',
    name: tool.name,
    effects: hasEffects(tool),
    missing: missing.map(({ name }) => name),
    acceptance: acceptanceOfCall(tool, input),
  };
}

/** How a goal is carried out: by a procedure or with a tool. */
type Reading = { readonly corrections: readonly string[] } & (
  | { readonly matched: MatchedProcedure; readonly call?: undefined }
  | { readonly matched?: undefined; readonly call: Extract<ToolReading, { readonly chosen: unknown }> }
);

/** Reads a goal as it is written; only if that fails, with its typos corrected. */
function read(
  goal: Goal,
  procedures: readonly Procedure[],
  tools: readonly ToolFace[],
  only?: 'procedure',
): Reading | undefined {
  const attempt = ({ goal: said, corrections }: CorrectedGoal): Reading | undefined => {
    const matched = matchProcedure(said, procedures, tools);
    if (matched) return { matched, corrections };
    const call = only ? undefined : readTool(said, tools);
    return call && 'chosen' in call ? { call, corrections } : undefined;
  };
  const asWritten = attempt({ goal, corrections: [] });
  if (asWritten) return asWritten;
  for (const corrected of correctSpelling(goal, wordsOf(procedures))) {
    const reading = attempt(corrected);
    if (reading) return reading;
  }
  return undefined;
}

function notUnderstood(goal: Goal, procedures: readonly Procedure[], tools: readonly ToolFace[]): string {
  const isKnown = (said: Goal): boolean => {
    const reading = read(said, procedures, tools);
    return reading !== undefined && (reading.call?.chosen.missing.length ?? 0) === 0;
  };
  return explainRefusal(goal, procedures, tools, isKnown);
}

const knownWords = new WeakMap<readonly Procedure[], KnownWords>();

/** The words of all procedures and tools. Made once per list, because every step of every run uses them. */
function wordsOf(procedures: readonly Procedure[]): KnownWords {
  const made = knownWords.get(procedures);
  if (made) return made;
  const texts = procedures.flatMap(({ triggers, words = '', description }) => [
    ...triggers,
    words,
    description,
  ]);
  const words = new KnownWords([...TOOL_VERBS, ...[GENERAL_WORDS, ...texts].join(' ').split(/[^\p{L}]+/u)]);
  knownWords.set(procedures, words);
  return words;
}

/** The file that a call writes. */
function acceptanceOfCall({ name }: ToolFace, { path, to }: JsonObject): readonly Acceptance[] {
  if (name === 'files.move' && typeof to === 'string') return [{ file_exists: to }];
  const writes = name === 'files.write' || name === 'files.edit';
  return writes && typeof path === 'string' ? [{ file_exists: path }] : [];
}

interface MatchedProcedure {
  readonly procedure: Procedure;
  readonly parameters: JsonObject;
  readonly trigger: string;
}

/** The procedure that a goal calls for: a trigger fits, its tools exist, and it can read the rest of the goal. */
export function matchProcedure(
  goal: Goal,
  procedures: readonly Procedure[],
  tools: readonly ToolFace[],
): MatchedProcedure | undefined {
  const present = new Set(tools.map((tool) => tool.name));
  const nearest = nearestProcedures(goal, procedures);
  const others = procedures.filter((procedure) => !nearest.includes(procedure));
  for (const procedure of [...nearest, ...others]) {
    if (!procedure.tools.every((tool) => present.has(tool))) continue;
    const trigger =
      procedure.triggers.find((phrase) => fitsTrigger(phrase, goal)) ?? procedure.called?.(goal);
    const parameters = trigger === undefined ? undefined : procedure.parameters(goal);
    if (trigger !== undefined && parameters) return { procedure, parameters, trigger };
  }
  return undefined;
}

/** The procedures with words of the goal, best first. */
function nearestProcedures(goal: Goal, procedures: readonly Procedure[]): Procedure[] {
  const words = goal.parts.filter((part) => part.kind === 'word').map((part) => part.text);
  const byName = new Map(procedures.map((procedure) => [procedure.name, procedure]));
  return indexOf(procedures)
    .search(words.join(' '), procedures.length)
    .map(({ id }) => byName.get(id))
    .filter((procedure) => procedure !== undefined);
}

const indexes = new WeakMap<readonly Procedure[], TextIndex>();

/** Made once per list, because every step of every run searches it. */
function indexOf(procedures: readonly Procedure[]): TextIndex {
  const known = indexes.get(procedures);
  if (known) return known;
  const index = new TextIndex({ triggers: 2 });
  for (const { name, triggers, description } of procedures)
    index.add(name, { triggers: triggers.join(' '), description });
  indexes.set(procedures, index);
  return index;
}

/** The trigger's first word is the goal's verb, and the others follow it in order. */
function fitsTrigger(trigger: string, { verb, parts }: Goal): boolean {
  const wanted = tokenise(trigger);
  if (verb === undefined || wanted[0] !== stem(verb)) return false;
  const words = parts.filter(({ kind }) => kind === 'word').map(({ text }) => stem(text.toLowerCase()));
  let at = words.indexOf(wanted[0]);
  return wanted.slice(1).every((word) => {
    at = words.indexOf(word, at + 1);
    return at >= 0;
  });
}
