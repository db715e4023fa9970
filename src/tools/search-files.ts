import * as z from 'zod';
import { IgnoreRules, utf8Bytes } from '../context/index.ts';
import { requireCapability, type Tool, type ToolContext } from '../engine/index.ts';
import { type Digest, isOkaError, OkaError } from '../kernel/index.ts';
import { defineTool, READS } from './define-tool.ts';
import { FILES_ERROR_CODES, type ToolsErrorCode } from './errors.ts';
import { noteFileRead } from './note-content.ts';
import type { FileEntry, Files } from './ports.ts';
import { readLines } from './read-lines.ts';

/** A search of a large disk takes its time. */
const TIMEOUT_MS = 6 * 3_600_000;
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
    limit: z.int().min(1).default(100).describe('the maximum number of matches'),
  }),
  output: z.strictObject({
    query: z.string(),
    matches: z.array(match),
    files: z.int().describe('the number of searched files'),
    skipped: z.int().describe('the number of files that are not text'),
    unreadable: z.array(z.string()).describe('files and folders that could not be read'),
    truncated: z.boolean(),
  }),
  ...READS,
  timeoutMs: TIMEOUT_MS,
  async handler(input, context) {
    const files = requireCapability<Files>(context, 'files');
    const wanted = input.glob === undefined ? () => true : matchGlob(input.glob);
    const needle = input.query.toLowerCase();
    const matches: Match[] = [];
    const seen = { files: 0, skipped: 0, unreadable: [] as string[] };
    for await (const { path, closed } of entriesAt(files, input.path)) {
      context.signal.throwIfAborted();
      if (closed === undefined && !wanted(path)) continue;
      const found = closed === undefined ? await searchFile(files, path, needle, context) : 'unreadable';
      if (found === 'unreadable') seen.unreadable.push(path);
      else seen[found === undefined ? 'skipped' : 'files'] += 1;
      if (typeof found !== 'object' || found.matches.length === 0) continue;
      if (matches.length === input.limit) return { query: input.query, matches, ...seen, truncated: true };
      await noteFileRead(context, path, found.digest);
      const room = input.limit - matches.length;
      for (const one of found.matches.slice(0, room)) matches.push(one);
      if (found.matches.length > room) return { query: input.query, matches, ...seen, truncated: true };
    }
    return { query: input.query, matches, ...seen, truncated: false };
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

/** The matching lines of a file, and its digest; undefined if it is not text. */
async function searchFile(
  files: Files,
  path: string,
  needle: string,
  context: ToolContext,
): Promise<{ readonly matches: readonly Match[]; readonly digest: Digest } | 'unreadable' | undefined> {
  const matches: Match[] = [];
  let line = 0;
  try {
    const digest = await readLines(files, path, context, (content) => {
      line += 1;
      const at = content.toLowerCase().indexOf(needle);
      if (at >= 0) matches.push({ path, line, text: excerpt(content, at) });
    });
    return digest && { matches, digest };
  } catch (error) {
    if (isOkaError(error, FILES_ERROR_CODES)) return 'unreadable';
    throw error;
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
