import { digestOf } from '../../kernel/index.ts';
import { matchesPattern, type Pattern, readPattern } from './match-pattern.ts';
import { utf8Bytes } from './path-text.ts';

/** The ignore files of a folder; rules of the later one take precedence. */
export const IGNORE_FILES = ['.gitignore', '.okaignore'] as const;

/** Names that are never part of a tree. */
export const NEVER_IN_TREE: ReadonlySet<string> = new Set(['.git', '.oka']);

interface IgnoreRule {
  readonly pattern: Pattern;
  readonly byName: boolean;
  readonly foldersOnly: boolean;
  readonly leavesOut: boolean;
}

interface IgnoreLayer {
  /** The folder of the file, with a trailing slash; empty for the workspace. */
  readonly below: string;
  /** Last rule first. */
  readonly rules: readonly IgnoreRule[];
}

/**
 * The rules of all ignore files from the workspace down to a folder, with git's semantics. Texts and paths are byte
 * strings. An excluded folder is never entered, so the rules say nothing about its content.
 */
export class IgnoreRules {
  static readonly none = new IgnoreRules([], '');
  /** Equal for equal rules. */
  readonly key: string;
  /** Nearest first. */
  readonly #layers: readonly IgnoreLayer[];

  private constructor(layers: readonly IgnoreLayer[], key: string) {
    this.#layers = layers;
    this.key = key;
  }

  /** Adds the rules of an ignore file in `folder`, which take precedence. */
  with(folder: string, text: string): IgnoreRules {
    const rules = parseRules(text);
    if (rules.length === 0) return this;
    const below = folder === '' ? '' : `${folder}/`;
    return new IgnoreRules([{ below, rules }, ...this.#layers], digestOf(`${this.key}\0${below}\0${text}`));
  }

  /** Whether these rules exclude a path. */
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

  /** As `leaveOut`, for a path given as text. */
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

/** Removes trailing spaces, except one after a backslash. */
function trimSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ' ') continue;
    if (line[at] === '\\') at += 1;
    end = Math.min(at + 1, line.length);
  }
  return line.slice(0, end);
}
