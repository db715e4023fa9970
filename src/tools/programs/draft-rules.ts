// Owns: which changes of a program may be applied to the workspace. Pure. I1 What is not allowed here is never applied.
import { posix } from 'node:path';
import { foldName } from '../../kernel/index.ts';
import type { DraftChange } from '../ports.ts';

/** A change that is not applied, and why. */
interface RefusedChange {
  readonly path: string;
  readonly why: string;
}

export interface DraftPlan {
  readonly apply: readonly DraftChange[];
  readonly refused: readonly RefusedChange[];
}

/** Files at the top of a workspace that only people change. */
const GUARDED: ReadonlySet<string> = new Set(['policy.md', '.mcp.json']);

/** Divides changes into those that may be applied and the others. `isGit`: git itself, started by Oka, made them. */
export function planChanges(changes: readonly DraftChange[], isGit: boolean): DraftPlan {
  const apply: DraftChange[] = [];
  const refused = new Map<string, string>();
  for (const change of changes) {
    const why = refused.has(posix.dirname(change.path))
      ? 'the folder around it is not applied'
      : whyRefused(change, isGit);
    if (why === undefined) apply.push(change);
    else refused.set(change.path, why);
    if (why === undefined && change.special)
      refused.set(`${change.path} as another user`, 'its set-user-ID or set-group-ID bit is not applied');
  }
  const isPartial = partialFolders(changes, new Set(apply));
  return {
    apply: apply.map((change) => (isPartial(change.path) ? withoutSource(change) : change)),
    refused: [...refused].map(([path, why]) => ({ path, why })),
  };
}

/** Folders that cannot be moved as a whole: something in them is not applied, or only after its permissions were widened. */
function partialFolders(
  changes: readonly DraftChange[],
  applied: ReadonlySet<DraftChange>,
): (path: string) => boolean {
  const partial = new Set<string>();
  for (const change of changes) {
    const { path, before, after, special, repository } = change;
    const needed = after?.kind === 'folder' ? 0o700 : 0o400;
    const isNarrow = after !== undefined && 'mode' in after && (after.mode & needed) !== needed;
    if (applied.has(change) && before === undefined && !special && !isNarrow && repository === undefined)
      continue;
    for (let folder = path; folder !== '.' && !partial.has(folder); folder = posix.dirname(folder))
      partial.add(folder);
  }
  return (path) => partial.has(path);
}

function withoutSource(change: DraftChange): DraftChange {
  if (change.after?.kind !== 'folder') return change;
  const { file: _, ...after } = change.after;
  return { ...change, after };
}

function whyRefused({ path, after, repository }: DraftChange, isGit: boolean): string | undefined {
  const parts = path.split('/').map(foldName);
  if (parts.includes('.oka')) return 'it belongs to Oka';
  if (parts.length === 1 && GUARDED.has(path.toLowerCase())) return 'only people change it';
  if (after?.kind === 'special') return 'it is no file, folder or link that can be read';
  if (after?.kind === 'link' && leavesWorkspace(path, after.target))
    return 'it is a link out of the workspace';
  if (repository === 'decides') return 'it decides which programs git runs';
  if (repository === 'data' && !isGit) return 'it belongs to a repository, which only git may change';
  return undefined;
}

function leavesWorkspace(path: string, target: string): boolean {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  // After the name of another link, `..` leads out of the folder to which that link leads.
  const backs = parts.some((part, index) => part === '..' && index > 0 && parts[index - 1] !== '..');
  if (target.startsWith('/') || backs) return true;
  const end = posix.join(posix.dirname(path), target);
  return end === '..' || end.startsWith('../');
}
