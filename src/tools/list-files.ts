import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { defineTool, READ_ONLY } from './define-tool.ts';
import type { Files } from './ports.ts';

const MOST_ENTRIES = 10_000;
const MOST_LEVELS = 32;

export const listFiles: Tool = defineTool({
  name: 'files.list',
  description:
    'Lists the files and folders in a folder of the workspace, leaving out what ignore files name.',
  input: z.strictObject({
    path: z.string().min(1).default('.').describe('the folder to list, relative to the workspace'),
    depth: z.int().min(1).max(MOST_LEVELS).default(1).describe('how many levels to go down'),
    limit: z.int().min(1).max(MOST_ENTRIES).default(1_000).describe('how many entries to give at most'),
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
  annotations: READ_ONLY,
  sideEffect: 'read',
  async handler(input, context) {
    const files = requireCapability<Files>(context, 'files');
    const listing = await files.list(input.path, { depth: input.depth, max: input.limit });
    return { ...listing, entries: [...listing.entries], unreadable: [...listing.unreadable] };
  },
});
