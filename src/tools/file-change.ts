// Owns: capturing a path before a tool changes it, and restoring it. I1 An interrupted restore can be repeated.
import * as z from 'zod';
import {
  type ArtifactStore,
  type CallEffect,
  type EngineErrorCode,
  requireCapability,
  type ToolContext,
} from '../engine/index.ts';
import { type Digest, isOkaError, OkaError } from '../kernel/index.ts';
import type { ToolsErrorCode } from './errors.ts';
import type { Files } from './ports.ts';

/** The state of a path. A file's content is stored as an artifact that belongs to no run. */
export const fileBefore = z.object({
  path: z.string(),
  existed: z.boolean(),
  /** True for an empty folder. */
  folder: z.boolean().exactOptional(),
  digest: z.string().exactOptional(),
  artifact: z.string().exactOptional(),
  mode: z.int().exactOptional(),
  modifiedAt: z.int().exactOptional(),
  /** Parent folders that did not exist, deepest first. */
  folders: z.array(z.string()),
});
export type FileBefore = z.output<typeof fileBefore>;

/** The content of a path: the digest of a file, a folder, or nothing. */
type PathState = string | 'folder' | undefined;

/** A changed path: its state before, and the digest after the change. */
interface FileChange {
  readonly before: FileBefore;
  readonly after: Digest | undefined;
}

/** The effect of a change of one path. */
export function fileEffect(verb: 'write' | 'edit' | 'delete', path: string): CallEffect {
  return { kind: 'file', what: `${verb} ${path}`, path };
}

/** Captures a path before a change; fails if the path may not be changed. */
export async function captureFile(given: string, context: ToolContext): Promise<FileBefore> {
  const files = requireCapability<Files>(context, 'files');
  const path = await files.locate(given, 'write');
  const entry = await files.stat(path);
  if (entry === undefined) return { path, existed: false, folders: await missingFolders(path, files) };
  if (entry.kind === 'directory') return { path, existed: true, folder: true, folders: [] };
  const { content, digest, mode } = await files.read(path);
  const artifacts = requireCapability<ArtifactStore>(context, 'artifacts');
  const { digest: artifact } = await artifacts.put(content, { mediaType: mediaTypeOf(path) });
  const { modifiedAt } = entry;
  return {
    path,
    existed: true,
    digest,
    artifact,
    ...(mode === undefined ? {} : { mode }),
    ...(modifiedAt === undefined ? {} : { modifiedAt }),
    folders: [],
  };
}

/** Captures a path that must exist. */
export async function captureExisting(given: string, context: ToolContext): Promise<FileBefore> {
  const before = await captureFile(given, context);
  if (before.existed) return before;
  const message = `"${before.path}" does not exist. See files.list.`;
  throw new OkaError<ToolsErrorCode>('files.not_found', message, { data: { path: before.path } });
}

/** Restores paths that did not change since, or all if forced. Returns what it did. */
export async function restoreFiles(
  changes: readonly FileChange[],
  force: boolean,
  context: ToolContext,
): Promise<string> {
  const files = requireCapability<Files>(context, 'files');
  const found: PathState[] = [];
  for (const { before, after } of changes) {
    const now = await stateOf(before.path, files);
    if (now !== stateBefore(before) && now !== after && !force)
      throw conflict(before.path, now === undefined);
    found.push(now);
  }
  const done: string[] = [];
  for (const [i, { before }] of changes.entries()) done.push(await restore(before, found[i], context));
  return done.join('; ');
}

async function restore(before: FileBefore, now: PathState, context: ToolContext): Promise<string> {
  const files = requireCapability<Files>(context, 'files');
  const { path, artifact, mode, modifiedAt } = before;
  const same = now === stateBefore(before);
  if (!same) {
    if (artifact !== undefined) {
      const content = await previousContent(artifact as Digest, path, context);
      await files.writeAtomic(path, content, {
        ...(mode === undefined ? {} : { mode }),
        ...(modifiedAt === undefined ? {} : { modifiedAt }),
      });
    } else {
      if (now !== undefined) await files.remove(path);
      if (before.folder) await files.makeFolder(path);
    }
  }
  await removeEmpty(before.folders, files);
  if (same) return `${path} is already as before the run`;
  return before.existed ? `restored ${path}` : `removed ${path}, which the run had created`;
}

function stateBefore({ folder, digest }: FileBefore): PathState {
  return folder ? 'folder' : digest;
}

async function stateOf(path: string, files: Files): Promise<PathState> {
  const entry = await files.stat(path);
  return entry?.kind === 'directory' ? 'folder' : files.digest(path);
}

/** The parent folders of a path that do not exist, deepest first. */
export async function missingFolders(path: string, files: Files): Promise<string[]> {
  const missing: string[] = [];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    if (await files.stat(folder)) break;
    missing.push(folder);
  }
  return missing;
}

export async function previousContent(
  artifact: Digest,
  path: string,
  context: ToolContext,
): Promise<Uint8Array> {
  const content = await requireCapability<ArtifactStore>(context, 'artifacts').get(artifact);
  if (content !== undefined) return content;
  throw new OkaError<EngineErrorCode>(
    'engine.artifact_missing',
    `The previous content of ${path} (artifact ${artifact}) was deleted. Restore it from a backup.`,
    { data: { path, artifact } },
  );
}

/** Removes folders that the run created, if they are empty; returns those that it removed. */
export async function removeEmpty(folders: readonly string[], files: Files): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const folder of folders) {
    try {
      await files.remove(folder);
      removed.push(folder);
    } catch (error) {
      if (!isOkaError(error, ['files.not_found', 'files.not_a_file'])) throw error;
    }
  }
  return removed;
}

export function conflict(path: string, gone: boolean): OkaError<EngineErrorCode> {
  return new OkaError(
    'engine.undo_conflict',
    `${path} was ${gone ? 'removed' : 'changed'} after the run and was not restored. Use --force to restore it anyway.`,
    { data: { path } },
  );
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/jsonl',
  md: 'text/markdown',
  mjs: 'text/javascript',
  svg: 'image/svg+xml',
  toml: 'application/toml',
  ts: 'text/typescript',
  tsx: 'text/typescript',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** The likely media type of a text file, by its extension. */
export function mediaTypeOf(path: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(MEDIA_TYPES, extension) && MEDIA_TYPES[extension]) || 'text/plain';
}
