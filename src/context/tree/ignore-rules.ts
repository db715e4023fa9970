import { digestOf } from '../../kernel/index.ts';
import { matchesPattern, type Pattern, readPattern } from './match-pattern.ts';
import { utf8Bytes } from './path-text.ts';

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

/** The rules of one ignore file. */
interface IgnoreLayer {
  /** The folder of the file, with a trailing slash; empty for the workspace. */
  readonly below: string;
  /** The last rule first. */
  readonly rules: readonly IgnoreRule[];
}

/**
 * What the ignore files from the workspace down to some folder leave out, by git's rules. Texts and paths are byte strings.
 * It says nothing about what lies below a folder that is left out: such a folder is never entered.
 */
export class IgnoreRules {
  static readonly none = new IgnoreRules([], '');
  /** Equal for equal rules. */
  readonly key: string;
  /** The nearest first. */
  readonly #layers: readonly IgnoreLayer[];

  private constructor(layers: readonly IgnoreLayer[], key: string) {
    this.#layers = layers;
    this.key = key;
  }

  /** These rules and those of a text that stands in `folder`, which have the last word. */
  with(folder: string, text: string): IgnoreRules {
    const rules = parseRules(text);
    if (rules.length === 0) return this;
    const below = folder === '' ? '' : `${folder}/`;
    return new IgnoreRules([{ below, rules }, ...this.#layers], digestOf(`${this.key}\0${below}\0${text}`));
  }

  /** True when these rules exclude a path in their folder or below it. */
  leaveOut(path: string, name: string, isFolder: boolean): boolean {
    for (const { below, rules } of this.#layers) {
      const inside = below === '' ? path : path.slice(below.length);
      for (const rule of rules) {
        if (rule.foldersOnly && !isFolder) continue;
        if (matchesPattern(rule.pattern, rule.byName ? name : inside)) return rule.leavesOut;
      }
    }
    return false;
  }

  /** The same for a path that is a text. */
  leaveOutPath(path: string, isFolder: boolean): boolean {
    const bytes = utf8Bytes(path);
    return this.leaveOut(bytes, bytes.slice(bytes.lastIndexOf('/') + 1), isFolder);
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
