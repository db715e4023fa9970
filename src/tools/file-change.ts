// Owns: what stood at a path before a tool changed it, and putting it back. I1 Restoring can be cut and begun again.
import * as z from 'zod';
import {
  type ArtifactStore,
  type EngineErrorCode,
  requireCapability,
  type ToolContext,
} from '../engine/index.ts';
import { type Digest, isOkaError, OkaError } from '../kernel/index.ts';
import type { ToolsErrorCode } from './errors.ts';
import { mediaTypeOf } from './media-type.ts';
import type { Files } from './ports.ts';

/** What stood at a path; a file's content is kept as an artifact that belongs to no run. */
export const fileBefore = z.object({
  path: z.string(),
  existed: z.boolean(),
  /** True for an empty folder. */
  folder: z.boolean().exactOptional(),
  digest: z.string().exactOptional(),
  artifact: z.string().exactOptional(),
  mode: z.int().exactOptional(),
  /** Folders above it that were missing, deepest first. */
  folders: z.array(z.string()),
});
export type FileBefore = z.output<typeof fileBefore>;

/** What stands at a path: the digest of a file, a folder, or nothing. */
type Assessment = string | 'folder' | undefined;

/** One path that a tool changed: what stood there, and what the tool left there. */
export interface FileChange {
  readonly before: FileBefore;
  readonly after: Digest | undefined;
}

/** Keeps what stands at a path that is about to be changed; refuses a path that may not be. */
export async function captureFile(given: string, context: ToolContext): Promise<FileBefore> {
  const files = requireCapability<Files>(context, 'files');
  const path = await files.locate(given, 'write');
  const entry = await files.stat(path);
  if (entry === undefined) return { path, existed: false, folders: await missingFolders(path, files) };
  if (entry.kind === 'directory') return { path, existed: true, folder: true, folders: [] };
  const { content, digest, mode } = await files.read(path);
  const about = { mediaType: mediaTypeOf(path) };
  const { digest: artifact } = await requireCapability<ArtifactStore>(context, 'artifacts').put(
    content,
    about,
  );
  return { path, existed: true, digest, artifact, ...(mode === undefined ? {} : { mode }), folders: [] };
}

/** Keeps what stands at a path where something must stand. */
export async function captureExisting(given: string, context: ToolContext): Promise<FileBefore> {
  const before = await captureFile(given, context);
  if (before.existed) return before;
  const message = `there is nothing at "${before.path}"; look with files.list what is there.`;
  throw new OkaError<ToolsErrorCode>('files.not_found', message, { data: { path: before.path } });
}

/** Puts back what stood before, wherever nobody has changed it since, or regardless when forced; says what it did. */
export async function restoreFiles(
  changes: readonly FileChange[],
  force: boolean,
  context: ToolContext,
): Promise<string> {
  const files = requireCapability<Files>(context, 'files');
  const found: Assessment[] = [];
  for (const { before, after } of changes) {
    const now = await standingAt(before.path, files);
    if (now !== standingBefore(before) && now !== after && !force)
      throw conflict(before.path, now === undefined);
    found.push(now);
  }
  const done: string[] = [];
  for (const [i, { before }] of changes.entries()) done.push(await restore(before, found[i], context));
  return done.join('; ');
}

async function restore(before: FileBefore, now: Assessment, context: ToolContext): Promise<string> {
  const files = requireCapability<Files>(context, 'files');
  const { path, artifact, mode } = before;
  const same = now === standingBefore(before);
  if (!same) {
    if (artifact !== undefined) {
      const content = await previousContent(artifact as Digest, path, context);
      await files.writeAtomic(path, content, mode === undefined ? {} : { mode });
    } else {
      if (now !== undefined) await files.remove(path);
      if (before.folder) await files.makeFolder(path);
    }
  }
  await removeEmpty(before.folders, files);
  if (same) return `${path} already stands as it was before the run`;
  return before.existed ? `restored ${path}` : `removed ${path}, which the run had created`;
}

function standingBefore({ folder, digest }: FileBefore): Assessment {
  return folder ? 'folder' : digest;
}

async function standingAt(path: string, files: Files): Promise<Assessment> {
  const entry = await files.stat(path);
  return entry?.kind === 'directory' ? 'folder' : files.digest(path);
}

async function missingFolders(path: string, files: Files): Promise<string[]> {
  const missing: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    if (await files.stat(folder)) break;
    missing.push(folder);
  }
  return missing;
}

async function previousContent(artifact: Digest, path: string, context: ToolContext): Promise<Uint8Array> {
  const content = await requireCapability<ArtifactStore>(context, 'artifacts').get(artifact);
  if (content !== undefined) return content;
  throw new OkaError<EngineErrorCode>(
    'engine.artifact_missing',
    `what stood in ${path} before the run is no longer kept (artifact ${artifact}); restore it from a backup.`,
    { data: { path, artifact } },
  );
}

/** Removes folders that the run made, as far as nobody has put anything else there. */
async function removeEmpty(folders: readonly string[], files: Files): Promise<void> {
  for (const folder of folders) {
    try {
      await files.remove(folder);
    } catch (error) {
      if (!isOkaError(error, 'files.not_found') && !isOkaError(error, 'files.not_a_file')) throw error;
    }
  }
}

function conflict(path: string, gone: boolean): OkaError<EngineErrorCode> {
  return new OkaError(
    'engine.undo_conflict',
    `${path} was ${gone ? 'removed' : 'changed'} after the run, so it is left as it is; undo with --force to restore it regardless.`,
    { data: { path } },
  );
}
