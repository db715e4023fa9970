// Owns: what a goal means, as a tree. It is the contract of the grammar, of the plain words that people see, and of the executor.
// I1 What an exception says is inside its own `not`; nothing takes a part of it.
import type { Period } from './periods.ts';

/** Which files, folders or both: everything in the places that fits. */
export interface Selection {
  readonly what: 'files' | 'folders' | 'entries';
  /** Folders or files, relative to the workspace. None: the whole workspace. */
  readonly places?: readonly string[];
  /** The places as wholes, and not what is in them. */
  readonly itself?: true;
  /** Not in the folders below the places. */
  readonly shallow?: true;
  readonly where?: FileCondition;
  readonly order?: Order;
  readonly limit?: number;
}

export interface Order {
  readonly by: 'size' | 'changed' | 'name' | 'lines';
  readonly descending?: true;
}

export type FileCondition =
  | { readonly all: readonly FileCondition[] }
  | { readonly any: readonly FileCondition[] }
  | { readonly not: FileCondition }
  /** A kind of files by its name in the vocabulary, such as `image` or `python`. */
  | { readonly kind: string }
  | { readonly extension: string }
  | { readonly name: NameTest; readonly text: string }
  /** More or fewer bytes than this. */
  | { readonly larger: number }
  | { readonly smaller: number }
  | { readonly empty: true }
  | { readonly changed: Period }
  /** Text that the file contains. */
  | { readonly contains: string }
  /** It is this file or folder, or lies in it. */
  | { readonly in: string }
  /** Another selected file has the same content. */
  | { readonly duplicate: true };

export type NameTest = 'is' | 'starts' | 'ends' | 'contains' | 'fits';

/** What a goal asks to know. */
export type Query =
  | { readonly list: Selection }
  | { readonly count: Selection; readonly by?: 'extension' | 'folder' }
  | { readonly size: Selection; readonly by?: 'folder' | 'extension' }
  | { readonly measure: 'lines' | 'words' | 'characters'; readonly of: Selection; readonly by?: 'file' | 'language' }
  | { readonly find: TextPattern; readonly in: Selection; readonly answer: 'lines' | 'files' | 'number'; readonly by?: 'file' | 'hour' | 'day' }
  | { readonly same: Selection }
  | { readonly difference: readonly [string, string] }
  | { readonly check: string }
  | { readonly value: string; readonly of: string }
  | { readonly changed: Selection; readonly since: Period }
  | { readonly lines: string; readonly that: 'occur twice' | 'are different' | 'are sorted' | 'are not blank' }
  | { readonly read: string; readonly part?: { readonly first?: number; readonly last?: number } }
  | { readonly brief: Selection }
  | { readonly table: TableQuery }
  | { readonly git: GitQuery };

/** What is looked for in texts. */
export type TextPattern =
  | { readonly text: string }
  | { readonly expression: string }
  | { readonly known: 'todo' | 'email' | 'url' | 'date' | 'phone' | 'number' | 'heading' | 'error' | 'broken_link' };

export interface TableQuery {
  readonly files: readonly string[];
  readonly where?: RowCondition;
  readonly columns?: readonly string[];
  readonly group?: string;
  readonly figures?: readonly Figure[];
  readonly order?: { readonly column: string; readonly descending?: true };
  readonly limit?: number;
  readonly distinct?: true;
}

export interface Figure {
  readonly figure: 'rows' | 'sum' | 'average' | 'median' | 'smallest' | 'largest' | 'different' | 'missing';
  /** Missing: the only column of numbers. */
  readonly column?: string;
}

export type RowCondition =
  | { readonly all: readonly RowCondition[] }
  | { readonly any: readonly RowCondition[] }
  | { readonly not: RowCondition }
  /** No column: any column. */
  | { readonly column?: string; readonly equals: string | number }
  | { readonly column?: string; readonly contains: string }
  | { readonly column: string; readonly starts: string }
  | { readonly column: string; readonly ends: string }
  | { readonly column: string; readonly above: number }
  | { readonly column: string; readonly below: number }
  | { readonly column: string; readonly missing: true }
  /** No column: the only column of dates. */
  | { readonly column?: string; readonly period: Period };

export interface GitQuery {
  readonly ask: 'status' | 'log' | 'authors' | 'files' | 'branch' | 'diff';
  readonly places?: readonly string[];
  readonly period?: Period;
  readonly author?: string;
  readonly limit?: number;
}

/** What a goal asks to change. */
export type Action =
  | { readonly delete: Selection }
  | { readonly move: Selection; readonly to: string }
  | { readonly copy: Selection; readonly to: string }
  | { readonly rename: Selection; readonly rule: RenameRule }
  | { readonly organise: Selection; readonly by: 'type' | 'year' | 'month' | 'extension'; readonly to?: string }
  | { readonly pack: Selection; readonly to: string }
  | { readonly unpack: string; readonly to?: string }
  | { readonly replace: string; readonly with: string; readonly in: Selection }
  | { readonly append: string; readonly to: string }
  | { readonly write: string; readonly to: string }
  | { readonly folders: readonly string[] }
  | { readonly format: string }
  | { readonly rows: TableQuery; readonly change: 'keep' | 'remove' | 'append'; readonly to?: string }
  | { readonly join: readonly [string, string]; readonly on: string; readonly to: string }
  | { readonly git: 'commit' | 'push' | 'pull'; readonly message?: string }
  | { readonly convert: string; readonly to: string }
  | { readonly merge: Selection; readonly to: string }
  | { readonly deduplicate: Selection };

export type RenameRule =
  | { readonly to: string }
  | { readonly prefix: string }
  | { readonly suffix: string }
  | { readonly extension: string }
  | { readonly replace: string; readonly with: string }
  | { readonly case: 'lower' | 'upper' }
  | { readonly spaces: string }
  | { readonly number: string };

export type Goal =
  | { readonly answer: Query; readonly write?: string }
  | { readonly change: Action }
  | { readonly steps: readonly Goal[] }
  | { readonly remember: string }
  | { readonly recall: string }
  | { readonly forget: string }
  /** When, in the person's words; the reminder tool reads them. */
  | { readonly remind: string; readonly when: string }
  | { readonly cancel: string }
  | { readonly reminders: 'list' }
  | { readonly time: string }
  | { readonly tests: 'run' }
  | { readonly abilities: true };

/** All conditions at once, in one form: nested ones are joined, and the order of saying them means nothing. */
export function allOf(conditions: readonly FileCondition[]): FileCondition | undefined {
  const flat = conditions.flatMap((one) => ('all' in one ? one.all : [one]));
  return joined('all', flat);
}

export function anyOf(conditions: readonly FileCondition[]): FileCondition | undefined {
  const flat = conditions.flatMap((one) => ('any' in one ? one.any : [one]));
  return joined('any', flat);
}

function joined(how: 'all' | 'any', conditions: readonly FileCondition[]): FileCondition | undefined {
  const byText = new Map(conditions.map((one) => [JSON.stringify(one), one]));
  const sorted = [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  if (sorted.length < 2) return sorted[0];
  return how === 'all' ? { all: sorted } : { any: sorted };
}
