import { digestOf } from '../../kernel/index.ts';
import { type Pattern, patternMatcher, readPattern } from './match-pattern.ts';

/** The files in a folder that say what to leave out below it; the later one has the last word. */
export const IGNORE_FILES = ['.gitignore', '.okaignore'] as const;

/** Names that are part of no tree, wherever they stand. */
export const NEVER_IN_TREE: ReadonlySet<string> = new Set(['.git', '.oka']);

interface IgnoreRule {
  readonly pattern: Pattern;
  readonly byName: boolean;
  readonly foldersOnly: boolean;
  readonly leavesOut: boolean;
}

/** The rules of one file; plain data, so that it can be handed to a thread. */
export interface IgnoreLayer {
  /** The folder that the rules stand in, with a slash behind it; empty for the workspace. */
  readonly below: string;
  /** The last one first. */
  readonly rules: readonly IgnoreRule[];
}

/** Whether something is left out by these layers, the nearest of which is the first. */
export type LeaveOut = (
  layers: readonly IgnoreLayer[],
  path: string,
  name: string,
  isFolder: boolean,
) => boolean;

/**
 * Makes the function that holds a path against rules. It runs in worker threads as the text that it is, so it uses nothing
 * but what it is given.
 */
export function ignoreMatcher(fits: ReturnType<typeof patternMatcher>): LeaveOut {
  return (layers, path, name, isFolder) => {
    for (const { below, rules } of layers) {
      const inside = below === '' ? path : path.slice(below.length);
      for (const rule of rules) {
        if (rule.foldersOnly && !isFolder) continue;
        if (fits(rule.pattern, rule.byName ? name : inside)) return rule.leavesOut;
      }
    }
    return false;
  };
}

const isLeftOut = ignoreMatcher(patternMatcher());

/**
 * What the ignore files from the workspace down to some folder leave out, by git's rules. Texts and paths are byte strings.
 * It says nothing about what lies below a folder that is left out: such a folder is never entered.
 */
export class IgnoreRules {
  static readonly none = new IgnoreRules([], '');
  /** Equal for equal rules. */
  readonly key: string;
  /** The nearest first. */
  readonly layers: readonly IgnoreLayer[];

  private constructor(layers: readonly IgnoreLayer[], key: string) {
    this.layers = layers;
    this.key = key;
  }

  /** These rules and those of a text that stands in `folder`, which have the last word. */
  with(folder: string, text: string): IgnoreRules {
    const rules = parseRules(text);
    if (rules.length === 0) return this;
    const below = folder === '' ? '' : `${folder}/`;
    return new IgnoreRules([{ below, rules }, ...this.layers], digestOf(`${this.key}\0${below}\0${text}`));
  }

  /** True when something in the folder of these rules is left out. */
  leaveOut(path: string, name: string, isFolder: boolean): boolean {
    return isLeftOut(this.layers, path, name, isFolder);
  }
}

function parseRules(text: string): readonly IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const line of text.replace(/^\xef\xbb\xbf/, '').split('\n')) {
    const rule = parseRule(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (rule !== undefined) rules.push(rule);
  }
  return rules.reverse();
}

function parseRule(line: string): IgnoreRule | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  let pattern = trimSpaces(line);
  const leavesOut = !pattern.startsWith('!');
  if (!leavesOut) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return undefined;
  const byName = !pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  const read = readPattern(pattern);
  return read && { pattern: read, byName, foldersOnly, leavesOut };
}

/** Spaces at the end do not count, but for one behind a backslash. */
function trimSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ' ') continue;
    if (line[at] === '\\') at += 1;
    end = Math.min(at + 1, line.length);
  }
  return line.slice(0, end);
}
