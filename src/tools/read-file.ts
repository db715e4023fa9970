import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { OkaError } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import { defineTool, READS } from './define-tool.ts';
import type { ToolsErrorCode } from './errors.ts';
import { noteFileRead } from './note-content.ts';
import type { Files } from './ports.ts';

const DEFAULT_BYTES = 256 * 1024;
const MAX_BYTES = 8 * 1024 * 1024;

export const readFile: Tool = defineTool({
  name: 'files.read',
  description: 'Reads a text file of the workspace and returns its content, size and digest.',
  input: z.strictObject({
    path: z.string().min(1).describe('the file to read, relative to the workspace'),
    max_bytes: z.int().min(1).max(MAX_BYTES).default(DEFAULT_BYTES).describe('the maximum number of bytes'),
  }),
  output: z.strictObject({
    path: z.string(),
    content: z.string(),
    bytes: z.int(),
    digest: z.string(),
    truncated: z.boolean(),
  }),
  ...READS,
  async handler(input, context) {
    const files = requireCapability<Files>(context, 'files');
    const file = await files.read(input.path, { maxBytes: input.max_bytes });
    const { path, bytes, digest, truncated } = file;
    const content = decodeText(file.content, truncated);
    if (content === undefined) {
      throw new OkaError<ToolsErrorCode>(
        'files.not_text',
        `"${path}" is not UTF-8 text. Choose a text file.`,
        { data: { path, bytes, digest } },
      );
    }
    await noteFileRead(context, path, digest);
    return { path, content, bytes, digest, truncated };
  },
});
