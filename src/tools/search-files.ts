import * as z from 'zod';
import { IgnoreRules, utf8Bytes } from '../context/index.ts';
import { requireCapability, type Tool } from '../engine/index.ts';
import { isOkaError, OkaError } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import { defineTool, READS } from './define-tool.ts';
import { FILES_ERROR_CODES, type ToolsErrorCode } from './errors.ts';
import { noteFileRead } from './note-content.ts';
import type { FileEntry, Files } from './ports.ts';

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_EXCERPT_LENGTH = 200;
const EXCERPT_BEFORE = 60;

const match = z.strictObject({ path: z.string(), line: z.int(), text: z.string() });
type Match = z.output<typeof match>;

export const searchFiles: Tool = defineTool({
  name: 'files.search',
  description: 'Searches the text files of the workspace, ignoring case, and returns the matching lines.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(500).describe('the text to find'),
    path: z.string().min(1).default('.').describe('the folder or file to search, relative to the workspace'),
    glob: z
      .string()
      .min(1)
      .max(200)
      .regex(/^[^!#]/)
      .optional()
      .describe('search only matching paths, such as *.ts or src/**'),
    limit: z.int().min(1).max(1_000).default(100).describe('the maximum number of matches'),
  }),
  output: z.strictObject({
    query: z.string(),
    matches: z.array(match),
    files: z.int().describe('the number of searched files'),
    skipped: z.int().describe('the number of skipped files: not text, too large, or not readable'),
    truncated: z.boolean(),
  }),
  ...READS,
  private: true,
  async handler(input, context) {
    const files = requireCapability<Files>(context, 'files');
    const wanted = input.glob === undefined ? () => true : matchGlob(input.glob);
    const needle = input.query.toLowerCase();
    const matches: Match[] = [];
    const count = { files: 0, skipped: 0 };
    for await (const entry of entriesAt(files, input.path)) {
      context.signal.throwIfAborted();
      if (!wanted(entry.path)) continue;
      const file = await readText(files, entry);
      count[file === undefined ? 'skipped' : 'files'] += 1;
      const before = matches.length;
      for (const found of matchesIn(entry.path, file?.text ?? '', needle)) {
        if (matches.length === input.limit) return { query: input.query, matches, ...count, truncated: true };
        if (file && matches.length === before) await noteFileRead(context, entry.path, file.digest);
        matches.push(found);
      }
    }
    return { query: input.query, matches, ...count, truncated: false };
  },
});

async function* entriesAt(files: Files, path: string): AsyncGenerator<FileEntry> {
  const entry = await files.stat(path);
  if (entry === undefined) {
    const message = `"${path}" does not exist. See files.list.`;
    throw new OkaError<ToolsErrorCode>('files.not_found', message, { data: { path } });
  }
  if (entry.kind === 'file') yield entry;
  else yield* files.walk(path);
}

/** The text and the digest of a file; undefined if it cannot be searched. */
async function readText(
  files: Files,
  entry: FileEntry,
): Promise<{ readonly text: string; readonly digest: string } | undefined> {
  if (entry.kind !== 'file' || entry.bytes > MAX_FILE_BYTES) return undefined;
  try {
    const file = await files.read(entry.path, { maxBytes: MAX_FILE_BYTES });
    const text = decodeText(file.content, file.truncated);
    return text === undefined ? undefined : { text, digest: file.digest };
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

/** The line without indentation, cut around the match if it is long. */
function excerpt(line: string, at: number): string {
  const whole = line.trim();
  if (whole.length <= MAX_EXCERPT_LENGTH) return whole;
  const start = Math.max(0, at - EXCERPT_BEFORE);
  const cut = line
    .slice(start, start + MAX_EXCERPT_LENGTH)
    .toWellFormed()
    .trim();
  return `${start > 0 ? '…' : ''}${cut}…`;
}

const MAX_ALTERNATIVES = 64;

/** Matches paths like ignore files do: `*.ts` anywhere, `/src/**` from the root, `{a,b}` for either. Runs in linear time. */
function matchGlob(pattern: string): (path: string) => boolean {
  const rules = IgnoreRules.none.with('', utf8Bytes([...alternatives(pattern)].join('\n')));
  // A pattern that matches a folder matches everything in it.
  return (path) =>
    foldersAbove(path).some((folder) => rules.leaveOutPath(folder, true)) || rules.leaveOutPath(path, false);
}

/** The parent folders of a path, topmost first. */
function foldersAbove(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, i) => names.slice(0, i + 1).join('/'));
}

/** Expands braces into patterns without braces. */
function alternatives(pattern: string): ReadonlySet<string> {
  const group = /\{([^{}]*,[^{}]*)\}/;
  const whole = new Set([pattern]);
  for (const candidate of whole) {
    const found = group.exec(candidate);
    if (!found || whole.size > MAX_ALTERNATIVES) continue;
    whole.delete(candidate);
    const [before, after] = [candidate.slice(0, found.index), candidate.slice(found.index + found[0].length)];
    for (const choice of (found[1] as string).split(',')) whole.add(before + choice + after);
  }
  return whole;
}
