import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { isOkaError, OkaError } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import { defineTool, READ_ONLY } from './define-tool.ts';
import type { ToolsErrorCode } from './errors.ts';
import { FILES_ERROR_CODES } from './errors.ts';
import { matchGlob } from './glob.ts';
import type { FileEntry, Files } from './ports.ts';

const LARGEST_FILE = 2 * 1024 * 1024;
const LONGEST_LINE = 200;
const BEFORE_MATCH = 60;

const match = z.strictObject({ path: z.string(), line: z.int(), text: z.string() });
type Match = z.output<typeof match>;

export const searchFiles: Tool = defineTool({
  name: 'files.search',
  description:
    'Searches the text files of the workspace for a text, without regard to case, and gives the lines that hold it.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(500).describe('the text to look for'),
    path: z.string().min(1).default('.').describe('the folder or file to search, relative to the workspace'),
    glob: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^!#]/)
      .optional()
      .describe('only paths that match, such as *.ts or src/**'),
    limit: z.int().min(1).max(1_000).default(100).describe('how many matches to give at most'),
  }),
  output: z.strictObject({
    query: z.string(),
    matches: z.array(match),
    files: z.int().describe('how many files were searched'),
    skipped: z.int().describe('how many were not: not text, too large, or not readable'),
    truncated: z.boolean(),
  }),
  annotations: READ_ONLY,
  sideEffect: 'read',
  async handler(input, context) {
    const files = requireCapability<Files>(context, 'files');
    const { signal } = context;
    const wanted = input.glob === undefined ? () => true : matchGlob(input.glob);
    const needle = input.query.toLowerCase();
    const matches: Match[] = [];
    const count = { files: 0, skipped: 0 };
    for await (const entry of entriesAt(files, input.path)) {
      signal.throwIfAborted();
      if (!wanted(entry.path)) continue;
      const text = await readText(files, entry);
      count[text === undefined ? 'skipped' : 'files'] += 1;
      for (const found of matchesIn(entry.path, text ?? '', needle)) {
        if (matches.length === input.limit) return { query: input.query, matches, ...count, truncated: true };
        matches.push(found);
      }
    }
    return { query: input.query, matches, ...count, truncated: false };
  },
});

async function* entriesAt(files: Files, path: string): AsyncGenerator<FileEntry> {
  const entry = await files.stat(path);
  if (entry === undefined) {
    throw new OkaError<ToolsErrorCode>(
      'files.not_found',
      `there is nothing at "${path}" to search; look with files.list.`,
      {
        data: { path },
      },
    );
  }
  if (entry.kind === 'file') yield entry;
  else yield* files.walk(path);
}

/** The text of a file that can be searched; undefined for any other. */
async function readText(files: Files, entry: FileEntry): Promise<string | undefined> {
  if (entry.kind !== 'file' || entry.bytes > LARGEST_FILE) return undefined;
  try {
    const file = await files.read(entry.path, { maxBytes: LARGEST_FILE });
    return decodeText(file.content, file.truncated);
  } catch (error) {
    if (isOkaError(error, FILES_ERROR_CODES)) return undefined;
    throw error;
  }
}

function* matchesIn(path: string, text: string, needle: string): Generator<Match> {
  if (!text.toLowerCase().includes(needle)) return;
  let line = 0;
  for (const content of text.split(/\r?\n/)) {
    line += 1;
    const at = content.toLowerCase().indexOf(needle);
    if (at >= 0) yield { path, line, text: excerpt(content, at) };
  }
}

/** The line without its indentation, cut around the match when it is long. */
function excerpt(line: string, at: number): string {
  const whole = line.trim();
  if (whole.length <= LONGEST_LINE) return whole;
  const start = Math.max(0, at - BEFORE_MATCH);
  const cut = line
    .slice(start, start + LONGEST_LINE)
    .toWellFormed()
    .trim();
  return `${start > 0 ? '…' : ''}${cut}…`;
}
