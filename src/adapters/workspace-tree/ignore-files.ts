import { IGNORE_FILES, IgnoreRules } from '../../context/index.ts';
import { contentOf, type FolderEntry, TOO_LARGE } from './system-paths.ts';

const GIT_POINTER = /^gitdir: (.+?)[\r\n]*$/s;

/** The ignore files among the entries of a folder, as bits in the order of `IGNORE_FILES`. */
export function ignoreFilesAmong(entries: readonly FolderEntry[]): number {
  let bits = 0;
  for (const [bit, name] of IGNORE_FILES.entries())
    if (entries.some((entry) => entry.name === name)) bits |= 1 << bit;
  return bits;
}

/** Adds the rules of a folder's ignore files to those above it; also returns the files that are too large. */
export function readIgnoreFiles(
  { place, bytes }: { readonly place: string; readonly bytes: string },
  ignoreFiles: number,
  above: IgnoreRules,
): { readonly rules: IgnoreRules; readonly tooLarge: readonly string[] } {
  let rules = above;
  const tooLarge: string[] = [];
  for (const [bit, name] of IGNORE_FILES.entries()) {
    if ((ignoreFiles & (1 << bit)) === 0) continue;
    const content = contentOf(`${place}/${name}`) ?? '';
    if (content === TOO_LARGE) tooLarge.push(name);
    else rules = rules.with(bytes, content);
  }
  return { rules, tooLarge };
}

/**
 * The rules of the repository's `info/exclude`. In a work tree or a submodule, `.git` is a file that names the repository,
 * which may in turn name another one that holds the shared `info/exclude`.
 */
export function repositoryRules(root: string): IgnoreRules {
  return IgnoreRules.none.with('', textOf(`${repositoryOf(root)}/info/exclude`) ?? '');
}

function repositoryOf(root: string): string {
  const git = `${root}/.git`;
  const named = GIT_POINTER.exec(textOf(git) ?? '')?.[1];
  if (named === undefined) return git;
  const own = resolveIn(root, named);
  const shared = textOf(`${own}/commondir`)?.trimEnd();
  return shared === undefined ? own : resolveIn(own, shared);
}

function textOf(path: string): string | undefined {
  const content = contentOf(path);
  return typeof content === 'string' ? content : undefined;
}

function resolveIn(folder: string, path: string): string {
  return path.startsWith('/') ? path : `${folder}/${path}`;
}
