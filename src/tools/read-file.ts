import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { OkaError } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import { defineTool, READ_ONLY } from './define-tool.ts';
import type { ToolsErrorCode } from './errors.ts';
import type { Files } from './ports.ts';

const DEFAULT_BYTES = 256 * 1024;
const MOST_BYTES = 8 * 1024 * 1024;

export const readFile: Tool = defineTool({
  name: 'files.read',
  description: 'Reads a text file of the workspace and gives its content, size and digest.',
  input: z.strictObject({
    path: z.string().min(1).describe('the file to read, relative to the workspace'),
    max_bytes: z.int().min(1).max(MOST_BYTES).default(DEFAULT_BYTES).describe('how much to read at most'),
  }),
  output: z.strictObject({
    path: z.string(),
    content: z.string(),
    bytes: z.int(),
    digest: z.string(),
    truncated: z.boolean(),
  }),
  annotations: READ_ONLY,
  sideEffect: 'read',
  async handler(input, context) {
    const file = await requireCapability<Files>(context, 'files').read(input.path, {
      maxBytes: input.max_bytes,
    });
    const content = decodeText(file.content, file.truncated);
    if (content === undefined) {
      throw new OkaError<ToolsErrorCode>(
        'files.not_text',
        `"${file.path}" is not text in UTF-8, so it cannot be read as such; choose a text file.`,
        { data: { path: file.path, bytes: file.bytes } },
      );
    }
    return { path: file.path, content, bytes: file.bytes, digest: file.digest, truncated: file.truncated };
  },
});
