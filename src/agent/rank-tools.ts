import type { ToolFace } from '../engine/index.ts';
import { stem, TextIndex, tokenise } from '../retrieval/index.ts';
import { fillParameters } from './fill-parameters.ts';
import { canBeFilled } from './parameter-roles.ts';
import { isFiller } from './read-goal.ts';
import type { Goal } from './types.ts';

/** What people say for what tools are called. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  read: ['show', 'open', 'cat', 'print', 'display', 'view'],
  list: ['ls', 'enumerate'],
  search: ['find', 'grep', 'locate', 'look'],
  write: ['save', 'create', 'store', 'put'],
  delete: ['remove', 'erase', 'rm'],
  move: ['rename', 'mv'],
  fetch: ['download', 'get'],
  wait: ['sleep', 'pause'],
  send: ['post'],
};

/** Scores at least this near the best count as equal, and then the more harmless tool goes first. */
const NEAR = 0.85;

/** The tools that speak of what the goal speaks of, best first, whether or not they can do it. */
export function nearestTools(goal: Goal, tools: readonly ToolFace[], limit: number): ToolFace[] {
  const { index, byName } = indexOf(tools);
  const words = goal.parts.filter((part) => part.kind === 'word').map((part) => part.text);
  return index.search(words.join(' '), limit).map(({ id }) => byName.get(id) as ToolFace);
}

/**
 * The tool that the goal asks for; undefined when none surely is. A tool is meant when its own verb is the goal's; one
 * that only reads is also meant when it speaks of everything in the goal.
 */
export function chooseTool(goal: Goal, tools: readonly ToolFace[]): ToolFace | undefined {
  const ranked = rank(goal, tools.filter(canBeFilled));
  const verbs = meanings(goal.verb);
  const meant = ranked.filter(({ tool }) => actionOf(tool).some((word) => verbs.has(stem(word))));
  const candidates = needingLeast(
    goal,
    meant.length > 0 ? meant : ranked.filter(({ tool, covers }) => tool.annotations.readOnly && covers),
  );
  const best = Math.max(...candidates.map(({ score }) => score));
  return candidates
    .filter(({ score }) => score >= best * NEAR)
    .sort(
      (a, b) => harm(a.tool) - harm(b.tool) || b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1),
    )[0]?.tool;
}

/** Those for which the goal leaves the least to be asked. */
function needingLeast<Ranked extends { readonly tool: ToolFace }>(
  goal: Goal,
  candidates: readonly Ranked[],
): readonly Ranked[] {
  const missing = candidates.map(({ tool }) => fillParameters(goal, tool).missing.length);
  const least = Math.min(...missing);
  return candidates.filter((_, i) => missing[i] === least);
}

function rank(goal: Goal, tools: readonly ToolFace[]): { tool: ToolFace; score: number; covers: boolean }[] {
  const { index, byName } = indexOf(tools);
  const said = goal.parts.filter((part) => part.kind === 'word' && !isFiller(part)).map((part) => part.text);
  const meant = [...said, ...meanings(goal.verb)];
  const terms = new Set(tokenise(said.join(' ')));
  return index.search(meant.join(' '), tools.length).map(({ id, score, terms: found }) => ({
    tool: byName.get(id) as ToolFace,
    score,
    covers: terms.size > 1 && [...terms].every((term) => found.includes(term)),
  }));
}

function indexOf(tools: readonly ToolFace[]): { index: TextIndex; byName: ReadonlyMap<string, ToolFace> } {
  const index = new TextIndex({ name: 3 });
  for (const tool of tools) index.add(tool.name, { name: tool.name, description: tool.description });
  return { index, byName: new Map(tools.map((tool) => [tool.name, tool])) };
}

/** The stems of a verb and of the tools' words for it. */
function meanings(verb: string | undefined): ReadonlySet<string> {
  if (verb === undefined) return new Set();
  const names = Object.keys(SYNONYMS).filter((name) =>
    SYNONYMS[name]?.some((word) => stem(word) === stem(verb)),
  );
  return new Set([verb, ...names].map(stem));
}

/** The words of the last part of a tool's name that can say what it does; `runs` are things. */
function actionOf(tool: ToolFace): string[] {
  const words = tool.name
    .slice(tool.name.lastIndexOf('.') + 1)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => !/[^s]s$/.test(word));
}

function harm({ annotations }: ToolFace): number {
  if (annotations.readOnly) return 0;
  if (annotations.destructive) return 3;
  return annotations.idempotent ? 1 : 2;
}
