// Owns: what a simulation reports about the files that it changed. Pure.
import { dirname } from 'node:path/posix';
import { digestOf, type EpochMs } from '../../kernel/index.ts';
import { decodeText, unifiedDiff } from '../../tools/index.ts';

/** The changes in a folder that was made or removed as a whole are listed one by one up to this number. */
const MAX_LISTED = 100;

/** A change that a run would have made. */
export interface FileChange {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'removed';
  readonly bytes: number;
  readonly bytesBefore?: number;
  /** The path is a folder. */
  readonly folder?: true;
  /** The unified diff; without one the content is not text. */
  readonly diff?: string;
}

export type Layered =
  | {
      readonly kind: 'file';
      readonly content: Uint8Array;
      readonly mode?: number;
      readonly modifiedAt?: EpochMs;
    }
  | { readonly kind: 'directory'; readonly mode?: number }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'removed' };
export type Base = Layered | { readonly kind: 'special' };
export const REMOVED = { kind: 'removed' } as const;

/** The folders above a path, the outermost first. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== '.' && folder !== '/'; folder = dirname(folder))
    folders.unshift(folder);
  return folders;
}

export function bytesOf(layered: Base | undefined): number {
  return layered?.kind === 'file' ? layered.content.length : 0;
}

export function isSame(a: Base, b: Layered): boolean {
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  if (a.kind === 'file' && b.kind === 'file')
    return modesOf(a, b) === undefined && equals(a.content, b.content);
  return a.kind === b.kind && modesOf(a, b) === undefined;
}

function equals(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && digestOf(a) === digestOf(b);
}

/** Two modes that differ. */
function modesOf(a: Base, b: Layered): readonly [number, number] | undefined {
  if (!('mode' in a && 'mode' in b) || a.mode === undefined || b.mode === undefined) return undefined;
  return a.mode === b.mode ? undefined : [a.mode, b.mode];
}

/** The changes in the words of a report: a repository and a large new or removed folder are one change each. */
export async function describeChanges(
  changed: readonly (readonly [path: string, before: Base, after: Layered])[],
): Promise<readonly FileChange[]> {
  const sorted = [...changed].sort(([a], [b]) => (a < b ? -1 : 1));
  const whole = new Map<string, FileChange>();
  const listed: FileChange[] = [];
  for (const [path, before, after] of sorted) {
    const repository = /^(?:.*\/)?\.git(?=\/|$)/.exec(path)?.[0];
    const around = [...foldersAbove(path), path].find((folder) => whole.has(folder));
    const outer = around === undefined ? undefined : whole.get(around);
    if (outer !== undefined) {
      whole.set(outer.path, { ...outer, bytes: outer.bytes + bytesOf(after) });
      continue;
    }
    if (repository !== undefined) {
      whole.set(repository, { path: repository, change: 'changed', bytes: bytesOf(after), folder: true });
      continue;
    }
    const change = await changeOf(path, before, after);
    const isWhole = change.folder === true && change.change !== 'changed';
    const below = isWhole ? sorted.filter(([other]) => other.startsWith(`${path}/`)).length : 0;
    if (below > MAX_LISTED) whole.set(path, change);
    else if (!(isWhole && change.change === 'created' && below > 0)) listed.push(change);
  }
  return [...listed, ...whole.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function changeOf(path: string, before: Base, after: Layered): Promise<FileChange> {
  const [old, content] = [contentOf(before), contentOf(after)];
  if (old === undefined && content === undefined) {
    const isFolder = before.kind === 'directory' || after.kind === 'directory';
    const change = after.kind === 'removed' ? 'removed' : before.kind === 'removed' ? 'created' : 'changed';
    return { path, change, bytes: 0, ...(isFolder ? { folder: true } : {}) };
  }
  const diff = await diffOf(path, old, content);
  const modes = modesOf(before, after)?.map((mode) => mode.toString(8));
  const modeLines = modes === undefined ? '' : `old mode ${modes[0]}\nnew mode ${modes[1]}\n`;
  const isOnlyMode = old !== undefined && content !== undefined && equals(old, content);
  return {
    path,
    change: old === undefined ? 'created' : content === undefined ? 'removed' : 'changed',
    bytes: content?.length ?? 0,
    ...(old === undefined ? {} : { bytesBefore: old.length }),
    ...(isOnlyMode ? { diff: modeLines } : diff === undefined ? {} : { diff: modeLines + diff }),
  };
}

/** What a diff compares. Of a link that is where it leads. */
function contentOf(found: Base): Uint8Array | undefined {
  if (found.kind === 'link') return new TextEncoder().encode(`link to ${found.target}\n`);
  return found.kind === 'file' ? found.content : undefined;
}

/** The diff of two texts; undefined if one of them is not text. */
async function diffOf(
  path: string,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): Promise<string | undefined> {
  const texts = [before, after].map((bytes) => bytes && decodeText(bytes, false));
  if ((before && texts[0] === undefined) || (after && texts[1] === undefined)) return undefined;
  return unifiedDiff(path, texts[0], texts[1]);
}
