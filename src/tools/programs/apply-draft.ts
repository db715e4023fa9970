// Owns: bringing what a program did on its draft into the workspace, and taking it back.
// I1 What was there before is kept, durably, before the first change. I2 Both can be interrupted and made again.
import { posix } from 'node:path';
import * as z from 'zod';
import { type ArtifactStore, requireCapability, type ToolContext } from '../../engine/index.ts';
import { type Digest, type Json, OkaError } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../errors.ts';
import { conflict, mediaTypeOf, previousContent } from '../file-change.ts';
import type { Draft, DraftChange, Files, NewState, PathState } from '../ports.ts';
import { planChanges } from './draft-rules.ts';

/** More than this is not kept, so a program may not replace or delete it. */
const MAX_KEPT_FILES = 20_000;
const MAX_KEPT_BYTES = 1024 * 1024 * 1024;
/** Larger lists are stored beside the event. */
const MAX_LISTED = 1_000;
const MAX_SAID = 10;

const state = z.strictObject({
  kind: z.enum(['file', 'link', 'folder', 'special']),
  digest: z.string().exactOptional(),
  bytes: z.int().exactOptional(),
  mode: z.int().exactOptional(),
  modifiedAt: z.int().exactOptional(),
  target: z.string().exactOptional(),
});
/** A changed path: as it was, and as the program left it. Paths of a repository are not shown as files. */
const applied = z.strictObject({
  path: z.string().exactOptional(),
  repository: z.string().exactOptional(),
  existed: z.boolean(),
  folder: z.boolean().exactOptional(),
  digest: z.string().exactOptional(),
  artifact: z.string().exactOptional(),
  mode: z.int().exactOptional(),
  modifiedAt: z.int().exactOptional(),
  link: z.string().exactOptional(),
  folders: z.array(z.string()),
  after: state.nullable(),
});
type Applied = z.output<typeof applied>;
const changesRecord = z.strictObject({
  changes: z.array(applied),
  /** The list of all of them, if there are too many. */
  list: z.strictObject({ artifact: z.string() }).exactOptional(),
  kept: z.array(z.strictObject({ artifact: z.string() })).exactOptional(),
});

/** Keeps what the changes replace. Returns the record that undo needs. */
export async function keepReplaced(changes: readonly DraftChange[], context: ToolContext): Promise<Json> {
  const files = requireCapability<Files>(context, 'files');
  const replaced = changes.flatMap(({ before }) => (before?.kind === 'file' ? [before.bytes] : []));
  const bytes = replaced.reduce((sum, one) => sum + one, 0);
  if (replaced.length > MAX_KEPT_FILES || bytes > MAX_KEPT_BYTES)
    throw new OkaError<ToolsErrorCode>(
      'process.draft_too_large',
      `The program replaced or deleted ${replaced.length} files of ${Math.ceil(bytes / 1024 / 1024)} MB, more than Oka keeps for undo. Nothing was changed. Make it change less, or run it yourself.`,
      { data: { files: replaced.length, bytes } },
    );
  const artifacts = requireCapability<ArtifactStore>(context, 'artifacts');
  const kept: Applied[] = [];
  for (const change of changes) kept.push(await keepOne(change, files, artifacts));
  if (kept.length <= MAX_LISTED) return { changes: kept };
  const { digest } = await artifacts.put(JSON.stringify(kept), { mediaType: 'application/json' });
  const stored = kept.flatMap(({ artifact }) => (artifact === undefined ? [] : [{ artifact }]));
  return { changes: kept.slice(0, MAX_LISTED), list: { artifact: digest }, kept: stored };
}

async function keepOne(
  { path, before, after, repository }: DraftChange,
  files: Files,
  artifacts: ArtifactStore,
): Promise<Applied> {
  const { file: _, ...left } = after ?? {};
  const about = {
    ...(repository === undefined ? { path } : { repository: path }),
    existed: before !== undefined,
    folders: [],
    after: after === undefined ? null : (left as PathState),
  };
  if (before?.kind === 'folder') return { ...about, folder: true, mode: before.mode };
  if (before?.kind === 'link') return { ...about, link: before.target };
  if (before?.kind !== 'file') return about;
  const { content, digest, mode } = await files.read(path, { repository: repository !== undefined });
  if (digest !== before.digest) throw changedMeanwhile(path);
  const { digest: artifact } = await artifacts.put(content, { mediaType: mediaTypeOf(path) });
  return { ...about, digest, artifact, mode: mode ?? before.mode, modifiedAt: before.modifiedAt };
}

/** Applies what a program that a definition names did on its draft. Returns what was not applied, and why. */
export async function applyDraft(draft: Draft, files: Files): Promise<readonly string[]> {
  const { apply, refused } = planChanges(await draft.changes(), false);
  await requireUnchanged(apply, files);
  await applyChanges(apply, files);
  return refused.map(({ path, why }) => `${path} was not applied: ${why}`);
}

/** Makes the changes. Those that an interrupted attempt made are left as they are. */
export async function applyChanges(changes: readonly DraftChange[], files: Files): Promise<void> {
  const removals = changes.filter(({ after }) => after === undefined).reverse();
  for (const change of removals) await putChange(change, undefined, files);
  const moved: string[] = [];
  const folders: DraftChange[] = [];
  for (const change of changes) {
    const { path, before, after } = change;
    if (after === undefined || moved.some((folder) => path.startsWith(`${folder}/`))) continue;
    if (after.kind === 'folder') folders.push(change);
    await putChange(change, newState(after), files);
    if (after.kind === 'folder' && before === undefined && after.file !== undefined) moved.push(path);
  }
  // A folder gets its permissions when nothing more is put into it.
  for (const { path, after, repository } of folders.reverse())
    if (after?.kind === 'folder')
      await files.place(path, { kind: 'folder', mode: after.mode }, about(repository));
}

async function putChange(
  { path, before, after, repository }: DraftChange,
  next: NewState | undefined,
  files: Files,
): Promise<void> {
  const now = await files.state(path, about(repository));
  if (sameState(now, after)) return;
  if (!sameState(now, before)) throw changedMeanwhile(path);
  await files.place(path, next, about(repository));
}

function about(repository: DraftChange['repository']): { readonly repository: boolean } {
  return { repository: repository !== undefined };
}

function newState(after: NonNullable<DraftChange['after']>): NewState | undefined {
  switch (after.kind) {
    case 'file':
      return { kind: 'file', content: { file: after.file as string }, mode: after.mode };
    case 'folder':
      return {
        kind: 'folder',
        mode: after.mode | 0o700,
        ...(after.file === undefined ? {} : { from: after.file }),
      };
    case 'link':
      return after;
    case 'special':
      return undefined;
  }
}

/** Fails unless every path still is as the program found it. */
export async function requireUnchanged(changes: readonly DraftChange[], files: Files): Promise<void> {
  // Below a path that is no folder yet there is nothing that could have changed.
  const made = new Set<string>();
  for (const { path, before, conflict: isConflict, repository } of changes) {
    const isBelow = made.has(posix.dirname(path));
    if (isBelow || before?.kind !== 'folder') made.add(path);
    if (isBelow) continue;
    if (isConflict || !sameState(await files.state(path, about(repository)), before))
      throw changedMeanwhile(path);
  }
}

function changedMeanwhile(path: string): OkaError<ToolsErrorCode> {
  return new OkaError(
    'process.draft_conflict',
    `${path} changed while the program ran, so what the program did was not applied. Run it again.`,
    { data: { path } },
  );
}

function sameState(a: PathState | undefined, b: PathState | undefined): boolean {
  if (a === undefined || b === undefined || a.kind !== b.kind) return a === b;
  if (a.kind === 'file' && b.kind === 'file') return a.digest === b.digest && a.mode === b.mode;
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  // A folder's permissions are set last.
  return true;
}

/** Restores everything that a program changed, unless it changed since. Returns what it did. */
export async function undoChanges(preimage: Json, force: boolean, context: ToolContext): Promise<string> {
  const files = requireCapability<Files>(context, 'files');
  const changes = await allChanges(preimage, context);
  const now = new Map<Applied, PathState | undefined>();
  for (const change of changes) {
    const found = await files.state(pathOf(change), repositoryOf(change));
    now.set(change, found);
    const isKnown =
      sameState(found, stateBefore(change)) ||
      sameState(found, (change.after ?? undefined) as PathState | undefined);
    if (!isKnown && !force) throw conflict(pathOf(change), found === undefined);
  }
  for (const change of [...changes].reverse()) {
    const found = now.get(change);
    const mustGo = found !== undefined && found.kind !== stateBefore(change)?.kind;
    if (mustGo) await removeUnlessFull(change, found, files);
  }
  const folders: [Applied, NewState][] = [];
  for (const change of changes) {
    const next = await stateToRestore(change, context);
    if (next?.kind === 'folder') folders.push([change, next]);
    if (next !== undefined && !sameState(now.get(change), stateBefore(change)))
      await files.place(
        pathOf(change),
        next.kind === 'folder' ? { ...next, mode: next.mode | 0o700 } : next,
        repositoryOf(change),
      );
  }
  for (const [change, next] of folders.reverse())
    await files.place(pathOf(change), next, repositoryOf(change));
  const said = changes
    .filter(({ folder, after }) => !folder && after?.kind !== 'folder')
    .map((change) => (change.existed ? `restored ${pathOf(change)}` : `removed ${pathOf(change)}`));
  return said.length > MAX_SAID
    ? `${said.slice(0, MAX_SAID).join('; ')}; and ${said.length - MAX_SAID} more`
    : said.join('; ');
}

/** A folder that the program made may hold what came later. */
async function removeUnlessFull(change: Applied, found: PathState, files: Files): Promise<void> {
  try {
    await files.place(pathOf(change), undefined, repositoryOf(change));
  } catch (error) {
    if (found.kind !== 'folder' || !(error instanceof OkaError) || error.code !== 'files.not_a_file')
      throw error;
  }
}

async function allChanges(preimage: Json, context: ToolContext): Promise<readonly Applied[]> {
  const { changes, list } = changesRecord.parse(preimage);
  if (list === undefined) return changes;
  const content = await previousContent(list.artifact as Digest, 'the list of changes', context);
  return z.array(applied).parse(JSON.parse(new TextDecoder().decode(content)));
}

async function stateToRestore(change: Applied, context: ToolContext): Promise<NewState | undefined> {
  const { existed, folder, mode = 0o644, modifiedAt = 0, link, artifact } = change;
  if (!existed) return undefined;
  if (folder) return { kind: 'folder', mode };
  if (link !== undefined) return { kind: 'link', target: link };
  const content = await previousContent(artifact as Digest, pathOf(change), context);
  return { kind: 'file', content, mode, modifiedAt };
}

function stateBefore({ existed, folder, digest, mode = 0, link }: Applied): PathState | undefined {
  if (!existed) return undefined;
  if (folder) return { kind: 'folder', mode };
  if (link !== undefined) return { kind: 'link', target: link };
  return { kind: 'file', digest: digest as Digest, bytes: 0, mode, modifiedAt: 0 };
}

function pathOf({ path, repository }: Applied): string {
  return posix.normalize(path ?? repository ?? '.');
}

function repositoryOf({ repository }: Applied): { readonly repository: boolean } {
  return { repository: repository !== undefined };
}
