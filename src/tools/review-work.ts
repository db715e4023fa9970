import * as z from 'zod';
import { cut } from '../assistant/index.ts';
import { type ArtifactStore, type RunId, requireCapability, type Tool } from '../engine/index.ts';
import { isOkaError, type JsonObject } from '../kernel/index.ts';
import { type ChangedFile, compareFiles } from './compare-files.ts';
import { decodeText } from './decode-text.ts';
import { defineTool, READS } from './define-tool.ts';
import { FILES_ERROR_CODES } from './errors.ts';
import { noteFileRead } from './note-content.ts';
import type { Files } from './ports.ts';

const MAX_FILES = 200;
const MAX_SHOWN_LENGTH = 20_000;
const MIN_SHARE = 200;

/** Finds the files that the tasks of a run changed, as they were before. Provided as the capability `work`. */
export interface WorkReader {
  below(
    run: RunId,
  ): Promise<readonly { readonly task: string; readonly before: ReadonlyMap<string, JsonObject> }[]>;
}

const change = z.strictObject({
  task: z.string(),
  path: z.string(),
  change: z.enum(['created', 'changed', 'removed']),
  diff: z.string().optional().describe('shortened if there is much to show; none if it is not text'),
});
const artifact = z.strictObject({
  path: z.string(),
  exists: z.boolean(),
  bytes: z.int().optional(),
  text: z.string().optional().describe('its beginning, if it is text'),
});

export const reviewWork: Tool = defineTool({
  name: 'assistant.review',
  description:
    'Shows the work of the tasks of this run: the files that they changed, as diffs, and the files that they name as results.',
  input: z.strictObject({ artifacts: z.array(z.string().min(1).max(1_000)).max(MAX_FILES).default([]) }),
  output: z.strictObject({
    changes: z.array(change),
    artifacts: z.array(artifact),
    omitted: z.int().describe('the number of changed files that are not shown'),
  }),
  ...READS,
  async handler({ artifacts: named }, context) {
    const files = requireCapability<Files>(context, 'files');
    const artifacts = requireCapability<ArtifactStore>(context, 'artifacts');
    const tasks = await requireCapability<WorkReader>(context, 'work').below(context.runId);
    const found: { readonly task: string; readonly file: ChangedFile }[] = [];
    for (const { task, before } of tasks) {
      context.signal.throwIfAborted();
      for (const file of await compareFiles(before, { files, artifacts })) found.push({ task, file });
    }
    const shown = found.slice(0, MAX_FILES);
    const share = Math.max(MIN_SHARE, Math.floor(MAX_SHOWN_LENGTH / (shown.length + named.length || 1)));
    for (const { file } of shown)
      if (file.digest !== undefined) await noteFileRead(context, file.path, file.digest);
    return {
      changes: shown.map(({ task, file: { path, change: what, diff } }) => ({
        task,
        path,
        change: what,
        ...(diff === undefined ? {} : { diff: cut(diff, share) }),
      })),
      artifacts: await Promise.all(named.map((path) => showFile(path, share))),
      omitted: found.length - shown.length,
    };

    async function showFile(path: string, length: number): Promise<z.output<typeof artifact>> {
      try {
        const { content, bytes, digest } = await files.read(path, { maxBytes: length * 4 });
        await noteFileRead(context, path, digest);
        const text = decodeText(content, true);
        return { path, exists: true, bytes, ...(text === undefined ? {} : { text: cut(text, length) }) };
      } catch (error) {
        if (!isOkaError(error, FILES_ERROR_CODES)) throw error;
        const entry = await files.stat(path).catch(() => undefined);
        return { path, exists: entry !== undefined };
      }
    }
  },
});
