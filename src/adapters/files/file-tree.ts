import { IGNORE_FILES, IgnoreRules, utf8Bytes } from '../../context/index.ts';
import { type Digest, isOkaError } from '../../kernel/index.ts';
import {
  FILES_ERROR_CODES,
  type FileEntry,
  type FileListing,
  type Files,
  type ListOptions,
  type WalkOptions,
} from '../../tools/index.ts';

/** Reads one folder at a time; ignore rules are applied here. */
export interface TreeSource {
  /** The entries of a folder by name; `.` is the workspace. Fails if there is no such folder. */
  children(folder: string): Promise<readonly FileEntry[]>;
  /** A small text file; undefined if there is none. */
  text(path: string): Promise<string | undefined>;
}

/** The text of a file; undefined if there is no such file. */
export async function textAt(files: Files, path: string): Promise<string | undefined> {
  if ((await files.stat(path))?.kind !== 'file') return undefined;
  return new TextDecoder().decode((await files.read(path)).content);
}

/** The digest of a file; undefined if it does not exist. */
export async function digestAt(files: Files, path: string): Promise<Digest | undefined> {
  try {
    return (await files.read(path)).digest;
  } catch (error) {
    if (isOkaError(error, 'files.not_found')) return undefined;
    throw error;
  }
}

interface Level {
  readonly folder: string;
  readonly rules: IgnoreRules | undefined;
}

/** Lists level by level, so that a truncated listing loses the deepest entries; sorted by path. */
export async function listTree(
  source: TreeSource,
  folder: string,
  options: ListOptions,
): Promise<FileListing> {
  const entries: FileEntry[] = [];
  const unreadable: string[] = [];
  const skipped: string[] | undefined = options.ignored === 'files' ? [] : undefined;
  const end = (truncated: boolean): FileListing => ({
    path: folder,
    entries: entries.sort(byPath),
    unreadable,
    truncated,
    ...(skipped && { skipped }),
  });
  const isUnruled = options.ignored === true;
  let levels: Level[] = [{ folder, rules: isUnruled ? undefined : await rulesAbove(source, folder) }];
  for (let depth = 1; depth <= options.depth && levels.length > 0; depth++) {
    const below: Level[] = [];
    for (const level of levels) {
      const children =
        depth === 1 ? await source.children(folder) : await childrenBelow(source, level.folder);
      if (children === undefined) unreadable.push(level.folder);
      for await (const { entry, rules } of ruled(source, level, children ?? [], options)) {
        if (entry.closed !== undefined) {
          if (entry.closed === 'unreadable') unreadable.push(entry.path);
          else skipped?.push(entry.path);
          continue;
        }
        if (entries.length === options.max) return end(true);
        entries.push(entry);
        if (entry.kind === 'directory') below.push({ folder: entry.path, rules });
      }
    }
    levels = below;
  }
  return end(false);
}

/** Every file below a folder, depth first in order of names; what is unreadable is yielded as closed. */
export async function* walkTree(
  source: TreeSource,
  folder: string,
  { depth = Number.POSITIVE_INFINITY, ignored = false, all = false }: WalkOptions = {},
): AsyncGenerator<FileEntry> {
  const rules = ignored === true ? undefined : await rulesAbove(source, folder);
  const open = [ruled(source, { folder, rules }, await source.children(folder), { ignored })];
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const next = await top.next();
    if (next.done) {
      open.pop();
      continue;
    }
    const { entry, rules: inForce } = next.value;
    if (entry.closed !== undefined || entry.kind !== 'directory' || open.length >= depth) {
      if (all || entry.closed === 'unreadable' || (entry.kind === 'file' && entry.closed === undefined))
        yield entry;
      continue;
    }
    const below = await childrenBelow(source, entry.path);
    if (below === undefined) yield { ...entry, closed: 'unreadable' };
    else {
      if (all) yield entry;
      open.push(ruled(source, { folder: entry.path, rules: inForce }, below, { ignored }));
    }
  }
}

/** The children with the rules in force; those that the rules exclude are closed. */
async function* ruled(
  source: TreeSource,
  level: Level,
  children: readonly FileEntry[],
  { ignored }: Pick<ListOptions, 'ignored'>,
): AsyncGenerator<{ readonly entry: FileEntry; readonly rules: IgnoreRules | undefined }> {
  const rules = level.rules && (await rulesIn(source, level.folder, children, level.rules));
  for (const entry of children) {
    const isFolder = entry.kind === 'directory';
    const isIgnored = (isFolder || ignored !== 'files') && rules?.leaveOutPath(entry.path, isFolder);
    yield { entry: isIgnored ? { ...entry, closed: 'ignored' } : entry, rules };
  }
}

/** The entries of a subfolder; undefined if it is unreadable, empty if it no longer exists. */
async function childrenBelow(source: TreeSource, folder: string): Promise<readonly FileEntry[] | undefined> {
  try {
    return await source.children(folder);
  } catch (error) {
    if (isOkaError(error, 'files.not_found') || isOkaError(error, 'files.not_a_folder')) return [];
    if (isOkaError(error, FILES_ERROR_CODES)) return undefined;
    throw error;
  }
}

/** The rules that apply to `folder`. If they ignore it, they are dropped, because it was requested by name. */
async function rulesAbove(source: TreeSource, folder: string): Promise<IgnoreRules> {
  let rules = IgnoreRules.none;
  let above = '.';
  for (const part of folder === '.' ? [] : folder.split('/')) {
    rules = await withFiles(source, above, IGNORE_FILES, rules);
    above = within(above, part);
    if (rules.leaveOutPath(above, true)) return IgnoreRules.none;
  }
  return rules;
}

async function rulesIn(
  source: TreeSource,
  folder: string,
  children: readonly FileEntry[],
  rules: IgnoreRules,
): Promise<IgnoreRules> {
  const names = IGNORE_FILES.filter((name) =>
    children.some(({ path, kind }) => kind === 'file' && path === within(folder, name)),
  );
  return withFiles(source, folder, names, rules);
}

/** Adds the rules of these ignore files of a folder. */
async function withFiles(
  source: TreeSource,
  folder: string,
  names: readonly string[],
  above: IgnoreRules,
): Promise<IgnoreRules> {
  let rules = above;
  for (const name of names) {
    const text = await source.text(within(folder, name));
    if (text !== undefined) rules = rules.with(utf8Bytes(folder === '.' ? '' : folder), utf8Bytes(text));
  }
  return rules;
}

function within(folder: string, name: string): string {
  return folder === '.' ? name : `${folder}/${name}`;
}

function byPath(a: FileEntry, b: FileEntry): number {
  const [left, right] = [a.path.split('/'), b.path.split('/')];
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [one, other] = [left[i] as string, right[i] as string];
    if (one !== other) return one < other ? -1 : 1;
  }
  return left.length - right.length;
}
