// Owns: the facts about a folder for its brief, read from a run's evidence.
// I1 The target of the brief is ignored, so that a second brief of an unchanged folder equals the first.
import type { Evidence, PlanInput } from '../engine/index.ts';
import { asObject, type JsonObject } from '../kernel/index.ts';
import { callFor, callsOf } from './findings.ts';
import { chooseKeyFiles, type ListedFile } from './key-files.ts';
import {
  type FoundLine,
  leadsTo,
  linesOf,
  MARKERS,
  searchFor,
  sortedTodos,
} from './procedures/found-lines.ts';

const MAX_ENTRIES = 400;
const MAX_MATCHES = 200;
/** Includes the lines of an earlier brief among the matches. */
export const MATCH_LIMIT = MAX_MATCHES + 40;

export interface Listing {
  readonly files: readonly ListedFile[];
  /** Folders below the depth of the list. */
  readonly notEntered: readonly string[];
  /** Folders that may not be entered. */
  readonly unreadable: readonly string[];
  readonly depth: number;
  readonly truncated: boolean;
}

/** The beginning of a file, or why it could not be read. */
export interface TriedFile {
  readonly path: string;
  readonly content?: string;
  readonly truncated?: boolean;
  readonly failure?: string;
}

export interface Survey extends Listing {
  readonly folder: string;
  readonly reads: readonly TriedFile[];
  readonly todos: readonly FoundLine[];
  readonly todosTruncated: boolean;
  readonly searchFailure?: string;
}

/** The number of entries to request, including the target and its folders. */
export function listingLimit(target = ''): number {
  return MAX_ENTRIES + target.split('/').length;
}

/** The newest listing that was recorded in full; undefined when there is none yet. */
export function latestListing(input: PlanInput, target = ''): Listing | undefined {
  const call = callsOf(input, 'files.list').at(-1);
  const output = asObject(call?.output);
  if (!Array.isArray(output['entries'])) return undefined;
  const depth = Number(asObject(call?.input)['depth']);
  const others = output['entries'].map(asObject).filter((entry) => !leadsTo(entry['path'] as string, target));
  const entries = [...others].sort((a, b) => levels(a) - levels(b)).slice(0, MAX_ENTRIES);
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
    truncated: output['truncated'] === true || others.length > MAX_ENTRIES,
  };
}

export function surveyOf(
  input: PlanInput,
  about: { readonly folder: string; readonly target?: string | undefined },
  listing: Listing,
): Survey {
  const searches = MARKERS.map((marker) => searchFor(input, marker));
  const found = searches.flatMap((search) => linesOf(search, about.target).slice(0, MAX_MATCHES));
  const searchFailure = searches.find((search) => search?.failure)?.failure?.message;
  return {
    ...listing,
    folder: about.folder,
    reads: chooseKeyFiles(listing.files, about.folder).flatMap((path) =>
      toTriedFile(path, callFor(input, 'files.read', path)),
    ),
    todos: sortedTodos(found),
    todosTruncated: searches.some((search) => linesOf(search).length >= MAX_MATCHES),
    ...(searchFailure === undefined ? {} : { searchFailure }),
  };
}

function toTriedFile(path: string, call: Evidence | undefined): TriedFile[] {
  if (call === undefined) return [];
  const { content, truncated } = asObject(call.output);
  if (typeof content === 'string') return [{ path, content, truncated: truncated === true }];
  return [{ path, failure: call.failure?.message ?? 'its content is too large for the record.' }];
}

function pathOf(entry: JsonObject): string {
  return entry['path'] as string;
}

function levels(entry: JsonObject): number {
  return pathOf(entry).split('/').length;
}
