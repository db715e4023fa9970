// Owns: whether a path that a program changed belongs to a repository of git. Git runs the programs that a repository names for
// the person who enters the folder, so a repository that a program makes would act outside the sandbox.
import { lstatSync, type Stats } from 'node:fs';
import { join, posix } from 'node:path';
import { foldName } from '../../kernel/index.ts';
import type { DraftChange } from '../../tools/index.ts';
import { configIsHarmless } from './plain-repository.ts';

/** Names in a repository that decide which programs git runs. */
const DECISIVE: ReadonlySet<string> = new Set(['config', 'config.worktree', 'commondir', 'hooks']);
/** Names that together make git take a folder for a repository. */
const PARTS: ReadonlySet<string> = new Set(['head', 'objects', 'refs', ...DECISIVE]);

/** Tells for each change what it is to git. `written` and `workspace` are the layers that a program saw. */
export function repositoryParts(
  changes: readonly DraftChange[],
  { written, workspace }: { readonly written: string; readonly workspace: string },
): readonly DraftChange[] {
  const exists = (path: string): boolean => {
    const made = entryAt(join(written, path));
    return made === undefined ? isThere(join(workspace, path)) : !made.isCharacterDevice();
  };
  const bare = new Map<string, 'known' | 'new' | undefined>();
  const bareKind = (folder: string): 'known' | 'new' | undefined => {
    if (!bare.has(folder)) {
      const known = isBare((name) => isThere(join(workspace, folder, name)));
      const now = known || isBare((name) => exists(posix.join(folder, name)));
      bare.set(folder, known ? 'known' : now ? 'new' : undefined);
    }
    return bare.get(folder);
  };
  return changes.map((change) => {
    const repository = partOf(change, bareKind);
    return repository === undefined ? change : { ...change, repository };
  });
}

function partOf(
  { path, after }: DraftChange,
  bareKind: (folder: string) => 'known' | 'new' | undefined,
): DraftChange['repository'] {
  const parts = path.split('/');
  const folded = parts.map(foldName);
  const git = folded.findIndex((part) => part === '.git' || part === 'git~1');
  if (git >= 0) {
    if (parts[git] !== '.git') return 'decides';
    const inside = folded.slice(git + 1);
    // A file or a link in its place leads git to another repository.
    if (inside.length === 0) return after === undefined || after.kind === 'folder' ? 'data' : 'decides';
    return decides(inside, after) ? 'decides' : 'data';
  }
  for (const [i] of parts.entries()) {
    const kind = bareKind(parts.slice(0, i).join('/'));
    const inside = folded.slice(i);
    if (kind !== undefined && (PARTS.has(inside[0] ?? '') || (kind === 'known' && i > 0)))
      return kind === 'new' || decides(inside, after) ? 'decides' : 'data';
  }
  return undefined;
}

/** Whether a change inside a repository decides which programs git runs. Samples of hooks and plain settings do not. */
function decides(inside: readonly string[], after: DraftChange['after']): boolean {
  const at = inside.findIndex((part) => DECISIVE.has(part));
  if (at < 0) return false;
  if (inside[at] === 'hooks') {
    if (inside.length === at + 1) return after?.kind !== 'folder';
    return !(inside.at(-1) ?? '').endsWith('.sample') || after?.kind !== 'file';
  }
  return (
    inside[at] !== 'config' ||
    after?.kind !== 'file' ||
    after.file === undefined ||
    !configIsHarmless(after.file)
  );
}

function isBare(has: (name: string) => boolean): boolean {
  return has('HEAD') && (has('commondir') || (has('objects') && has('refs')));
}

function isThere(path: string): boolean {
  return entryAt(path) !== undefined;
}

/** What is at a path; undefined if nothing, also where a part of it is no folder. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
