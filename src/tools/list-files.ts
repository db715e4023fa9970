import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { defineTool, READS } from './define-tool.ts';
import type { Files } from './ports.ts';

export const listFiles: Tool = defineTool({
  name: 'files.list',
  description: 'Lists the files and folders in a folder of the workspace, except ignored ones.',
  input: z.strictObject({
    path: z.string().min(1).default('.').describe('the folder to list, relative to the workspace'),
    depth: z.int().min(1).default(1).describe('the number of levels'),
    limit: z.int().min(1).default(1_000).describe('the maximum number of entries'),
  }),
  output: z.strictObject({
    path: z.string(),
    entries: z.array(
      z.strictObject({
        path: z.string(),
        kind: z.enum(['file', 'directory', 'link', 'other']),
        bytes: z.int(),
      }),
    ),
    unreadable: z.array(z.string()),
    truncated: z.boolean(),
  }),
  ...READS,
  async handler(input, context) {
    const files = requireCapability<Files>(context, 'files');
    const listing = await files.list(input.path, { depth: input.depth, max: input.limit });
    const { path, truncated, unreadable } = listing;
    const entries = listing.entries.map(({ path: entry, kind, bytes }) => ({ path: entry, kind, bytes }));
    return { path, entries, unreadable: [...unreadable], truncated };
  },
});
