import type { Decision, Evidence, PlanInput } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { call, callFor, fail, failWith, NO_LIMIT } from '../findings.ts';
import type { ListedFile } from '../key-files.ts';
import { code } from './markdown-text.ts';

const MAX_NAMES = 5;

interface FolderListing {
  /** Its real path, with which the paths of its files begin. */
  readonly path: string;
  readonly files: readonly ListedFile[];
  readonly folders: readonly string[];
  /** What could not be listed, in words. */
  readonly leftOut: readonly string[];
  /** Links, which are not followed. */
  readonly outside: readonly string[];
}

/** The step that lists a folder recursively; undefined when that is done. A folder that cannot be listed fails the run. */
export function listFolder(input: PlanInput, folder: string, why: string): Decision | undefined {
  const made = callFor(input, 'files.list', folder);
  if (made === undefined) return call('files.list', { path: folder, depth: NO_LIMIT, limit: NO_LIMIT }, why);
  if (made.failure) return failWith(made);
  if (Array.isArray(asObject(made.output)['entries'])) return undefined;
  return fail(
    'agent.output_too_large',
    `the list of ${folder} cannot be used; name one of its folders.`,
    'the list is not on record',
  );
}

/** The listed files below a folder, except the file `without`. */
export function listingOf(input: PlanInput, folder: string, without?: string): FolderListing {
  const output = asObject(callFor(input, 'files.list', folder)?.output);
  const entries = Array.isArray(output['entries']) ? output['entries'].map(asObject) : [];
  const unreadable = Array.isArray(output['unreadable']) ? (output['unreadable'] as string[]) : [];
  const links = entries.filter(({ kind }) => kind === 'link' || kind === 'other');
  return {
    path: typeof output['path'] === 'string' ? output['path'] : folder,
    files: entries
      .filter(({ kind, path }) => kind === 'file' && path !== without)
      .map(({ path, bytes }) => ({ path: String(path), bytes: Number(bytes) })),
    folders: entries.filter(({ kind }) => kind === 'directory').map(({ path }) => String(path)),
    leftOut: unreadable.length > 0 ? [`closed to reading: ${names(unreadable)}`] : [],
    outside: links.length > 0 ? [`not followed: ${names(links.map(({ path }) => String(path)))}`] : [],
  };
}

/** A few names, and how many more there are. */
export function names(paths: readonly string[], max = MAX_NAMES): string {
  const shown = paths.slice(0, max).map(code);
  const rest = paths.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ');
}

/** The step that reads a file's digest; one byte is enough to get it. */
export function digestFile(path: string, why: string): Decision {
  return call('files.read', { path, max_bytes: 1 }, why);
}

export function firstUnread(input: PlanInput, paths: readonly string[]): string | undefined {
  const read = readsByPath(input);
  return paths.find((path) => !read.has(path));
}

/** The reads by requested path, without those of the validation. */
export function readsByPath(input: PlanInput): ReadonlyMap<string, Evidence> {
  return new Map(
    input.evidence
      .filter(({ tool, state }) => tool === 'files.read' && state !== 'validate')
      .map((evidence) => [String(asObject(evidence.input)['path']), evidence]),
  );
}
