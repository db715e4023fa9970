// Owns: what a brief knows about a folder, read from a run's evidence.
// I1 The target of the brief counts for nothing, so that a second brief of an unchanged folder equals the first.
import type { Evidence, PlanInput } from '../engine/index.ts';
import { asObject, type JsonObject } from '../kernel/index.ts';
import { callFor, callsOf } from './findings.ts';
import { chooseTellingFiles, type ListedFile } from './telling-files.ts';

/** What is searched for to find out what is open. */
export const MARKERS = ['TODO', 'FIXME'] as const;

const MOST_ENTRIES = 400;
const MOST_MATCHES = 200;
/** Room for the lines of an earlier brief among the matches. */
export const MATCH_LIMIT = MOST_MATCHES + 40;

export interface Listing {
  readonly files: readonly ListedFile[];
  /** Folders below the depth of the list. */
  readonly notEntered: readonly string[];
  /** Folders that may not be entered. */
  readonly unreadable: readonly string[];
  readonly depth: number;
  readonly truncated: boolean;
}

/** A file that was tried to read: its beginning, or why not. */
export interface TriedFile {
  readonly path: string;
  readonly content?: string;
  readonly truncated?: boolean;
  readonly failure?: string;
}

export interface TodoLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface Survey extends Listing {
  readonly folder: string;
  readonly reads: readonly TriedFile[];
  readonly todos: readonly TodoLine[];
  readonly todosTruncated: boolean;
  readonly searchFailure?: string;
}

/** How many entries to ask for, so that without the target and its folders there are enough. */
export function listingLimit(target: string): number {
  return MOST_ENTRIES + target.split('/').length;
}

/** The newest listing that the record holds in full; undefined when there is none yet. */
export function latestListing(input: PlanInput, target: string): Listing | undefined {
  const call = callsOf(input, 'files.list').at(-1);
  const output = asObject(call?.output);
  if (!Array.isArray(output['entries'])) return undefined;
  const depth = Number(asObject(call?.input)['depth']);
  const others = output['entries'].map(asObject).filter((entry) => !leadsTo(entry['path'] as string, target));
  const entries = [...others].sort((a, b) => levels(a) - levels(b)).slice(0, MOST_ENTRIES);
  const deepest = depth + (output['path'] === '.' ? 0 : (output['path'] as string).split('/').length);
  const notEntered = entries
    .filter((entry) => entry['kind'] === 'directory' && levels(entry) === deepest)
    .map(pathOf);
  return {
    files: entries
      .filter((entry) => entry['kind'] === 'file')
      .map((entry) => ({ path: pathOf(entry), bytes: entry['bytes'] as number })),
    notEntered: notEntered.map((path) => `${path}/`),
    unreadable: (output['unreadable'] as readonly string[]).map((path) => `${path}/`),
    depth,
    truncated: output['truncated'] === true || others.length > MOST_ENTRIES,
  };
}

/** The search for a marker, if it was made. */
export function markerSearch(input: PlanInput, marker: string): Evidence | undefined {
  return callsOf(input, 'files.search').findLast((call) => asObject(call.input)['query'] === marker);
}

/** All that the run has found out about the folder. */
export function surveyOf(
  input: PlanInput,
  about: { folder: string; target: string },
  listing: Listing,
): Survey {
  const searches = MARKERS.map((marker) => markerSearch(input, marker));
  const found = searches.flatMap((search) =>
    matchesOf(search)
      .filter((match) => !leadsTo(match.path, about.target))
      .slice(0, MOST_MATCHES),
  );
  const searchFailure = searches.find((search) => search?.failure)?.failure?.message;
  return {
    ...listing,
    folder: about.folder,
    reads: chooseTellingFiles(listing.files, about.folder).flatMap((path) =>
      toTriedFile(path, callFor(input, 'files.read', path)),
    ),
    todos: sortedTodos(found),
    todosTruncated: searches.some((search) => matchesOf(search).length >= MOST_MATCHES),
    ...(searchFailure === undefined ? {} : { searchFailure }),
  };
}

function matchesOf(search: Evidence | undefined): TodoLine[] {
  const matches = asObject(search?.output)['matches'];
  return Array.isArray(matches) ? (matches as unknown as TodoLine[]) : [];
}

/** The lines that are open tasks, each once, in the order of places. */
export function sortedTodos(found: readonly TodoLine[]): TodoLine[] {
  const byPlace = new Map(
    found.filter(({ text }) => isTodo(text)).map((todo) => [`${todo.path}:${todo.line}`, todo]),
  );
  return [...byPlace.values()].sort((a, b) =>
    a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1,
  );
}

/** Whether the marker begins a comment or a line, and not a piece of some string. */
function isTodo(text: string): boolean {
  const before = /^(.*?)\b(?:TODO|FIXME)\b/.exec(text)?.[1];
  if (before === undefined || !/(?:^|\/\/|\/\*+|#|<!--|--|;|%|\*|-|>|\[ \])\s*$/.test(before)) return false;
  const quotes = before.match(/(?<!\p{L})'|'(?!\p{L})|["`]/gu) ?? [];
  return quotes.length % 2 === 0;
}

function toTriedFile(path: string, call: Evidence | undefined): TriedFile[] {
  if (call === undefined) return [];
  const { content, truncated } = asObject(call.output);
  if (typeof content === 'string') return [{ path, content, truncated: truncated === true }];
  return [{ path, failure: call.failure?.message ?? 'its content is too large for the record.' }];
}

/** True for the target itself and for the folders it stands in. An absolute target is compared by its end. */
export function leadsTo(path: string, target: string): boolean {
  return (
    target === path ||
    target.startsWith(`${path}/`) ||
    (target.startsWith('/') && target.endsWith(`/${path}`))
  );
}

function pathOf(entry: JsonObject): string {
  return entry['path'] as string;
}

function levels(entry: JsonObject): number {
  return pathOf(entry).split('/').length;
}
