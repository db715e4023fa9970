import type { ArtifactStore } from '../engine/index.ts';
import type { Digest, JsonObject } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import type { Files } from './ports.ts';
import { unifiedDiff } from './unified-diff.ts';

/** A file that differs from its recorded earlier version. Files that are not text have no diff. */
export interface ChangedFile {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'removed';
  /** The number of added and of removed lines. */
  readonly added?: number;
  readonly removed?: number;
  readonly diff?: string;
  /** The digest of the present content. */
  readonly digest?: Digest;
}

/** Compares the recorded earlier states of paths with the files as they are now, by path. */
export async function compareFiles(
  before: ReadonlyMap<string, JsonObject>,
  { files, artifacts }: { readonly files: Files; readonly artifacts: Pick<ArtifactStore, 'get'> },
): Promise<readonly ChangedFile[]> {
  const changes: ChangedFile[] = [];
  for (const [path, state] of [...before].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (state['folder'] === true) continue;
    const existed = state['existed'] === true;
    const digest = await files.digest(path);
    if (existed ? digest === state['digest'] : digest === undefined) continue;
    const texts = [
      existed ? await textBefore(state, artifacts) : '',
      digest === undefined ? '' : textOf((await files.read(path)).content),
    ] as const;
    changes.push({
      path,
      change: existed ? (digest === undefined ? 'removed' : 'changed') : 'created',
      ...(await compare(path, texts, { existed, exists: digest !== undefined })),
      ...(digest === undefined ? {} : { digest }),
    });
  }
  return changes;
}

async function compare(
  path: string,
  [before, after]: readonly [string | undefined, string | undefined],
  { existed, exists }: { readonly existed: boolean; readonly exists: boolean },
): Promise<Pick<ChangedFile, 'added' | 'removed' | 'diff'>> {
  if (before === undefined || after === undefined) return {};
  const diff = await unifiedDiff(path, existed ? before : undefined, exists ? after : undefined);
  // Instead of a diff, files that differ too much have one sentence.
  if (!diff.startsWith('--- ')) return { diff };
  const lines = diff.split('\n').slice(2);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { added: count('+'), removed: count('-'), diff };
}

/** A file that was only moved has no recorded content. */
async function textBefore(
  { artifact }: JsonObject,
  artifacts: Pick<ArtifactStore, 'get'>,
): Promise<string | undefined> {
  return typeof artifact === 'string' ? textOf(await artifacts.get(artifact as Digest)) : undefined;
}

function textOf(content: Uint8Array | undefined): string | undefined {
  return content && decodeText(content, false);
}
