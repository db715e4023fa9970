// Owns: what the tools that change a set of files have in common: limits, checks before the first change, and repeating.
// I1 Every path is checked before the first one changes. I2 A call that a crash interrupted can be made again.
import * as z from 'zod';
import { type CallEffect, requireCapability, type ToolContext } from '../../engine/index.ts';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import { FILES_ERROR_CODES, type ToolsErrorCode } from '../errors.ts';
import { missingFolders } from '../file-change.ts';
import type { FileEntry, Files } from '../ports.ts';

/** The maximum number of files that one call deletes or moves, so that a person can read all of them. */
export const MAX_CHANGED = 1_000;
/** The maximum number of files that one call copies, merges or packs. */
export const MAX_COPIED = 5_000;

export function pathList(max: number, what: string) {
  return z.array(z.string().min(1)).min(1).max(max).describe(what);
}

/** A time after which the files must not have changed. */
export const unchangedSince = z
  .int()
  .min(0)
  .optional()
  .describe('fails if one of the files changed after this time, in milliseconds since 1970');

/** The files of two lists that belong together by position. */
export function pairsOf(from: readonly string[], to: readonly string[]): (readonly [string, string])[] {
  if (from.length !== to.length) {
    const message = `"from" has ${from.length} paths and "to" has ${to.length}. Give one new path for each file.`;
    throw new OkaError<ToolsErrorCode>('files.invalid_path', message);
  }
  return from.map((path, i) => [path, to[i] as string]);
}

/** A line that names a few of the files; the request shows all of them. */
export function setEffect(verb: string, paths: readonly string[], to?: string): CallEffect {
  const shown = paths.slice(0, 3).join(', ');
  const rest = paths.length - 3;
  const target = to === undefined ? '' : ` to ${to}`;
  const what = `${verb} ${shown}${rest > 0 ? ` and ${rest} more` : ''}${target}`;
  return { kind: 'file', what, ...(paths[0] !== undefined && { path: to ?? paths[0] }) };
}

/** An existing file; fails for anything else. */
export async function requireFile(files: Files, path: string): Promise<FileEntry> {
  const entry = await files.stat(path);
  if (entry === undefined) throw refuse('files.not_found', path, 'does not exist. See files.list');
  if (entry.kind !== 'file') throw refuse('files.not_a_file', entry.path, 'is not a regular file');
  return entry;
}

/** The real paths for new files: none of them exists, and no two are the same. Also the folders that are missing. */
export async function requireFree(
  files: Files,
  given: readonly string[],
): Promise<{ readonly paths: readonly string[]; readonly folders: string[] }> {
  const paths: string[] = [];
  const taken = new Set<string>();
  const folders = new Set<string>();
  for (const one of given) {
    const path = await files.locate(one, 'write');
    if (taken.has(path)) throw refuse('files.exists', path, 'would be written twice. Choose other names');
    if (await files.stat(path))
      throw refuse('files.exists', path, 'already exists and is not replaced. Choose another name');
    taken.add(path);
    paths.push(path);
    for (const folder of await missingFolders(path, files)) folders.add(folder);
  }
  const inTheWay = [...folders].find((folder) => taken.has(folder));
  if (inTheWay !== undefined)
    throw refuse('files.exists', inTheWay, 'would be both a file and a folder. Choose other names');
  return { paths, folders: deepestFirst(folders) };
}

export function requireUnchanged({ path, modifiedAt }: FileEntry, since: number | undefined): void {
  if (since === undefined || modifiedAt === undefined || modifiedAt <= since) return;
  throw refuse('files.changed', path, 'changed after it was listed. Start again to use its present state');
}

export function deepestFirst(folders: Iterable<string>): string[] {
  return [...folders].sort((a, b) => b.split('/').length - a.split('/').length || (a < b ? -1 : 1));
}

/** Does something with each item. A failure says how much was done before it. */
export async function changeEach<T>(
  items: readonly T[],
  context: ToolContext,
  change: (item: T, files: Files) => Promise<void>,
): Promise<void> {
  const files = requireCapability<Files>(context, 'files');
  for (const [done, item] of items.entries()) {
    try {
      context.signal.throwIfAborted();
      await change(item, files);
    } catch (error) {
      if (done === 0 || !isOkaError(error, FILES_ERROR_CODES)) throw error;
      const message = `${error.message} The first ${done} of ${items.length} are done; undo them with: oka runs undo ${context.runId}`;
      throw new OkaError<ToolsErrorCode>(error.code as ToolsErrorCode, message, {
        cause: error,
        data: { ...error.data, done },
      });
    }
  }
}

export function refuse(code: ToolsErrorCode, path: string, what: string): OkaError<ToolsErrorCode> {
  return new OkaError(code, `"${path}" ${what}.`, { data: { path } });
}
