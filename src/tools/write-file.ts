import * as z from 'zod';
import {
  type ArtifactStore,
  type EngineErrorCode,
  requireCapability,
  type Tool,
  type ToolContext,
} from '../engine/index.ts';
import { type Digest, digestOf, isOkaError, type Json, OkaError } from '../kernel/index.ts';
import { defineTool } from './define-tool.ts';
import { mediaTypeOf } from './media-type.ts';
import type { Files } from './ports.ts';

/** What stood at the path before; the content is kept as an artifact that belongs to no run. */
const preimageSchema = z.object({
  path: z.string(),
  existed: z.boolean(),
  digest: z.string().optional(),
  artifact: z.string().optional(),
  /** Folders that were missing, deepest first. */
  folders: z.array(z.string()),
});

export const writeFile: Tool = defineTool({
  name: 'files.write',
  description: 'Writes a text file of the workspace, replacing it if it exists; can be undone.',
  input: z.strictObject({
    path: z.string().min(1).describe('the file to write, relative to the workspace'),
    content: z.string().describe('the whole new content'),
  }),
  output: z.strictObject({
    path: z.string(),
    bytes: z.int(),
    digest: z.string(),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  simulatable: true,
  preimage: ({ path }, context) => capture(path, context),
  undo: ({ input, preimage, force }, context) =>
    restore(input.content, preimageSchema.parse(preimage), force, context),
  async handler({ path, content }, context) {
    const files = requireCapability<Files>(context, 'files');
    const digest = digestOf(content);
    const stands = (await files.digest(path)) === digest;
    const written = stands
      ? await files.locate(path, 'write')
      : (await files.writeAtomic(path, content)).path;
    const artifact = await context.emitArtifact(content, { name: written, mediaType: mediaTypeOf(written) });
    return { path: written, bytes: artifact.bytes, digest };
  },
});

async function capture(given: string, context: ToolContext): Promise<Json> {
  const files = requireCapability<Files>(context, 'files');
  const path = await files.locate(given, 'write');
  if ((await files.stat(path)) === undefined)
    return { path, existed: false, folders: await missingFolders(path, files) };
  const before = await files.read(path);
  const about = { mediaType: mediaTypeOf(path) };
  const artifact = await requireCapability<ArtifactStore>(context, 'artifacts').put(before.content, about);
  return { path, existed: true, digest: before.digest, artifact: artifact.digest, folders: [] };
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

async function restore(
  written: string,
  before: z.output<typeof preimageSchema>,
  force: boolean,
  context: ToolContext,
): Promise<string> {
  const files = requireCapability<Files>(context, 'files');
  const { path } = before;
  const now = await files.digest(path);
  if (now !== before.digest) {
    if (now !== digestOf(written) && !force) throw conflict(path, now === undefined);
    if (before.artifact === undefined) await files.remove(path);
    else await files.writeAtomic(path, await previousContent(before.artifact as Digest, path, context));
  }
  await removeEmpty(before.folders, files);
  if (now === before.digest) return `${path} already stands as it was before the run`;
  return before.existed ? `restored ${path}` : `removed ${path}, which the run had created`;
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
