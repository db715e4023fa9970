// Owns: whether a completed run did what it was asked. I1 What a model says is no evidence; only calls and files are.
import {
  type Evidence,
  hasEffects,
  type JudgeRun,
  narrowTool,
  type RunState,
  type RunSummary,
  type ToolFace,
} from '../engine/index.ts';
import { needsOf } from '../language/index.ts';

/** What the judge needs of the capability `files`. */
interface FilesThere {
  stat(path: string): Promise<unknown>;
}

interface Effect {
  readonly fact: Evidence;
  /** The written paths; undefined if only the tool itself knows, as a program does. */
  readonly paths: readonly string[] | undefined;
}

export const judgeRun: JudgeRun = async ({ run, finish, children, tool, capabilities }) => {
  const { outcome } = finish;
  if (outcome?.is === 'unproven') return outcome;
  const files = capabilities['files'] as FilesThere | undefined;
  const effects = effectsIn(run, tool);
  const missing = [
    ...(outcome?.is === 'partial' ? outcome.because : []),
    ...failedLast(effects),
    ...childrenInDoubt(children),
  ];
  if (missing.length > 0) return { is: 'partial', because: missing };
  const modelCalls = (run.used.model_calls ?? 0) - (run.childrenUsed.model_calls ?? 0);
  const doubts =
    outcome !== undefined || modelCalls <= 0 ? [] : await doubtsAbout(run.goal, effects, children, files);
  if (doubts.length > 0) return { is: 'unproven', because: doubts };
  return { is: 'checked', because: outcome?.because ?? [evidenceFor(effects.length)] };
};

function evidenceFor(effects: number): string {
  if (effects === 0) return 'the answer is complete';
  return `${effects} ${effects === 1 ? 'change was' : 'changes were'} made, and seen`;
}

/** The calls of a run that may have changed something, and how each ended. */
function effectsIn(run: Readonly<RunState>, toolOf: (name: string) => ToolFace | undefined): Effect[] {
  return run.evidence.flatMap((fact) => {
    const tool = fact.source === 'tool' && fact.tool !== undefined ? toolOf(fact.tool) : undefined;
    if (tool === undefined || !hasEffects(narrowTool(tool, fact.input ?? null))) return [];
    return [{ fact, paths: tool.writes?.(fact.input) }];
  });
}

/** The last call with an effect, if it failed: nothing after it can have made up for it. */
function failedLast(effects: readonly Effect[]): string[] {
  const { fact } = effects.at(-1) ?? {};
  return fact?.failure === undefined ? [] : [`${fact.tool} failed: ${fact.failure.message}`];
}

/** Child runs that completed without proof, unless another one for the same goal did better. */
function childrenInDoubt(children: readonly RunSummary[]): string[] {
  const proven = new Set(children.filter(({ outcome }) => outcome === 'checked').map(({ goal }) => goal));
  return children
    .filter(({ outcome, goal }) => (outcome === 'partial' || outcome === 'unproven') && !proven.has(goal))
    .map(({ outcome, goal }) => `"${goal}" is ${outcome === 'partial' ? 'done in part' : 'not proven'}`);
}

/** What the goal asks for and no call has shown. */
async function doubtsAbout(
  goal: string,
  effects: readonly Effect[],
  children: readonly RunSummary[],
  files: FilesThere | undefined,
): Promise<string[]> {
  const needs = needsOf(goal);
  const made = effects.filter(({ fact }) => fact.failure === undefined);
  const isOpaque = children.length > 0 || made.some(({ paths }) => paths === undefined);
  if (needs.change && made.length === 0 && children.length === 0)
    return ['the goal asks for a change, and no call changed anything; what the answer says is no proof'];
  const written = new Set(made.flatMap(({ paths }) => paths ?? []).map((path) => path.replace(/^\.\//, '')));
  const doubts: string[] = [];
  for (const file of needs.files) {
    if (written.has(file)) continue;
    const isThere = files !== undefined && (await files.stat(file).catch(() => undefined)) !== undefined;
    if (!isOpaque || !isThere) doubts.push(`${file} was not written`);
  }
  return doubts;
}
