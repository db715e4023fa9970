// Owns: whether a goal asks for a tool call with certainty.
// I1 Every word of the goal is accounted for: as the verb, an object of the tool, a filler, or the value of a parameter.
// I2 A bare word is no path of a call with effects, unless the goal says that it is a file or folder.

import { hasEffects, type ToolFace } from '../engine/index.ts';
import { type ChosenTool, type Goal, looksLikeFile, type Parameter, ToolChooser } from '../language/index.ts';
import { stem } from '../retrieval/index.ts';

/** How a goal is done with a tool, or why it is not. */
export type ToolReading =
  /** `confirm` asks a person whether the goal was read correctly. */
  | { readonly chosen: ChosenTool<ToolFace>; readonly confirm?: string }
  /** The tool would fit without these words. */
  | { readonly doubtful: readonly string[] };

const FILE_WORDS: ReadonlySet<string> = new Set(['file', 'folder', 'directory', 'named', 'called']);
/** Verbs that ask for files rather than for a text in them. */
const FINDING: ReadonlySet<string> = new Set(['find', 'locate', 'look']);
/** Words that exclude something, which no tool can. */
const EXCLUDING = /^(?:but|not|except|excluding|without|unless)$/i;
/** Text that is no English word: TODO, camelCase, snake_case, a call, a tag. */
const CODE_LIKE = /^(?:[A-Z][A-Z\d]+s?|.*[a-z\d][A-Z].*|.*[_:()=<>#@$&|;[\]{}].*)$/;

/** The tool that a goal asks for. The goal must name the arguments of a program, because Oka does not ask for them. */
export function readTool(goal: Goal, tools: readonly ToolFace[]): ToolReading | undefined {
  const chosen = chooserOf(tools).choose(goal);
  if (!chosen || chosen.missing.some(({ role }) => role === 'arguments')) return undefined;
  const doubtful = doubtsAbout(goal, chosen);
  if (doubtful.length > 0) return { doubtful };
  if (chosen.missing.length > 0 && !mayAsk(goal, chosen)) return undefined;
  if (!FINDING.has(goal.verb ?? '')) return { chosen };
  return readSearch(goal, chosen);
}

const choosers = new WeakMap<readonly ToolFace[], ToolChooser<ToolFace>>();

/** Made once per list, because a goal that is not understood is read again without each of its words. */
function chooserOf(tools: readonly ToolFace[]): ToolChooser<ToolFace> {
  const chooser = choosers.get(tools) ?? new ToolChooser(tools);
  choosers.set(tools, chooser);
  return chooser;
}

/** The words that keep the reading from being certain. */
function doubtsAbout(
  goal: Goal,
  { tool, unplaced, unknown, guessed, missing }: ChosenTool<ToolFace>,
): string[] {
  const excluding = goal.parts.filter(({ kind, text }) => kind === 'word' && EXCLUDING.test(text));
  const words = [...unplaced, ...unknown, ...excluding.map(({ text }) => text)];
  if (hasEffects(tool)) {
    const isGiven = guessed.length === 1 && missing.length === 0;
    for (const { parameter, part } of guessed) {
      if (!isPlaceRole(parameter) || (parameter.role === 'target' && isGiven)) continue;
      if (!isCalledFile(goal, goal.parts.indexOf(part))) words.push(part.text);
    }
  }
  return [...new Set(words)];
}

function isPlaceRole({ role }: Parameter): boolean {
  return role === 'path' || role === 'target';
}

/** Whether "file" or "folder" is right before or after a part. */
function isCalledFile({ parts }: Goal, at: number): boolean {
  return [parts[at - 1], parts[at + 1]].some(
    (part) => part?.kind === 'word' && FILE_WORDS.has(part.text.toLowerCase()),
  );
}

/** A missing parameter is asked for if the goal says another one, or names the tool or what it is for. */
function mayAsk(goal: Goal, { tool, input }: ChosenTool<ToolFace>): boolean {
  if (Object.keys(input).length > 0) return true;
  const words = goal.parts.filter(({ kind }) => kind === 'word').map(({ text }) => stem(text.toLowerCase()));
  const action = tool.name.slice(tool.name.lastIndexOf('.') + 1);
  return words.includes(stem(action)) || words.includes('file');
}

/** "find" asks for files, unless its object is quoted or clearly a text; else a person says which. */
function readSearch(goal: Goal, chosen: ChosenTool<ToolFace>): ToolReading | undefined {
  const { input, guessed } = chosen;
  const { query, path = '.' } = input;
  if (typeof query !== 'string') return undefined;
  const words = guessed.filter(({ parameter }) => parameter.role === 'query');
  const quotesFile = goal.parts.some(
    ({ kind, text }) => kind === 'quoted' && text === query && isFileName(text),
  );
  if (!quotesFile && words.every(({ part }) => CODE_LIKE.test(part.text))) return { chosen };
  const isAboutFiles = goal.parts.some(
    ({ kind, text }) => kind === 'word' && /^(?:files?|folders?)$/i.test(text),
  );
  if (isAboutFiles && words.length > 0) return { doubtful: words.map(({ part }) => part.text) };
  const where = path === '.' ? 'here' : `in ${String(path)}`;
  return { chosen, confirm: `Shall Oka search the text files ${where} for "${query}"?` };
}

function isFileName(text: string): boolean {
  return text.includes('*') || (looksLikeFile(text) && !/\s/.test(text));
}
