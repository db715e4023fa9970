import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../../engine/index.ts';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import { decodeText } from '../decode-text.ts';
import { defineTool, READS } from '../define-tool.ts';
import { FILES_ERROR_CODES, type ToolsErrorCode } from '../errors.ts';
import type { FileEntry, FileListing, Files, ListOptions } from '../ports.ts';

const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 64;
/** Digests and lines are read of so many files, and so many bytes, at most. */
const MAX_READ = 5_000;
const MAX_READ_BYTES = 4 * 1024 ** 3;
const MAX_TEXT_BYTES = 16 * 1024 ** 2;

const surveyEntry = z.strictObject({
  path: z.string(),
  kind: z.enum(['file', 'directory', 'link', 'other']),
  bytes: z.int(),
  modified: z.string().optional().describe('the local time of the last change'),
  digest: z.string().optional(),
  lines: z.int().optional().describe('the number of lines, if it is a text'),
  blank: z.int().optional().describe('the number of lines without text'),
});
type SurveyEntry = z.output<typeof surveyEntry>;

export const surveyFiles: Tool = defineTool({
  name: 'files.survey',
  description:
    'Lists everything below a folder of the workspace with sizes and times, and on request digests and numbers of lines.',
  input: z.strictObject({
    path: z.string().min(1).default('.').describe('the folder or file, relative to the workspace'),
    depth: z.int().min(1).max(MAX_DEPTH).default(MAX_DEPTH).describe('the number of levels'),
    limit: z.int().min(1).max(MAX_ENTRIES).default(10_000).describe('the maximum number of entries'),
    modified: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('a period such as "last week" or "older than 30 days", to be returned as times'),
    digests: z
      .enum(['same_size', 'all'])
      .optional()
      .describe('adds SHA-256 digests: of files that share their size with another, or of all files'),
    lines: z.boolean().default(false).describe('adds the numbers of lines of text files'),
    ignored: z.boolean().default(false).describe('includes folders that ignore files exclude'),
  }),
  output: z.strictObject({
    path: z.string(),
    at: z.int().describe('the time of the survey, in milliseconds since 1970'),
    period: z
      .strictObject({ from: z.int().optional(), until: z.int().optional() })
      .optional()
      .describe('the period: from the first to before the second time'),
    entries: z.array(surveyEntry),
    skipped: z.array(z.string()).describe('folders that ignore files exclude'),
    unreadable: z.array(z.string()),
    truncated: z.boolean(),
  }),
  ...READS,
  private: true,
  countsAs: ['files.list', 'files.read'],
  async handler({ path, depth, limit, modified, digests, lines, ignored }, context) {
    const files = requireCapability<Files>(context, 'files');
    const at = context.now();
    const period = modified === undefined ? undefined : await periodOf(modified, at);
    const listing = await entriesAt(files, path, { depth, max: limit, ignored: ignored || 'files' });
    const entries = listing.entries.map(toSurveyEntry);
    if (digests !== undefined) await addDigests(entries, digests, files, context);
    if (lines) await addLines(entries, files, context);
    return {
      path: listing.path,
      at,
      ...(period && { period }),
      entries,
      skipped: [...(listing.skipped ?? [])],
      unreadable: [...listing.unreadable],
      truncated: listing.truncated,
    };
  },
});

async function periodOf(phrase: string, at: number): Promise<{ from?: number; until?: number }> {
  const { readPeriod } = await import('./read-period.ts');
  const period = readPeriod(phrase, at);
  if (period !== undefined) return period;
  throw new OkaError<ToolsErrorCode>(
    'files.invalid_path',
    `"${phrase}" is not a known period. Write it as in "last week", "since Monday", "older than 30 days" or "in 2025".`,
    { data: { modified: phrase } },
  );
}

async function entriesAt(files: Files, path: string, options: ListOptions): Promise<FileListing> {
  const entry = await files.stat(path);
  if (entry?.kind === 'file') return { path: entry.path, entries: [entry], unreadable: [], truncated: false };
  return files.list(path, options);
}

function toSurveyEntry({ path, kind, bytes, modifiedAt }: FileEntry): SurveyEntry {
  return { path, kind, bytes, ...(modifiedAt !== undefined && { modified: localTime(modifiedAt) }) };
}

async function addDigests(
  entries: SurveyEntry[],
  which: 'same_size' | 'all',
  files: Files,
  context: ToolContext,
): Promise<void> {
  const sizes = new Map<number, number>();
  for (const { kind, bytes } of entries) if (kind === 'file') sizes.set(bytes, (sizes.get(bytes) ?? 0) + 1);
  const wanted = entries.filter(
    ({ kind, bytes }) => kind === 'file' && (which === 'all' || (bytes > 0 && (sizes.get(bytes) ?? 0) > 1)),
  );
  await readEach(wanted, Number.POSITIVE_INFINITY, context, async (entry) => {
    const digest = await files.digest(entry.path);
    if (digest !== undefined) entry.digest = digest;
  });
}

async function addLines(entries: SurveyEntry[], files: Files, context: ToolContext): Promise<void> {
  const wanted = entries.filter(({ kind }) => kind === 'file');
  await readEach(wanted, MAX_TEXT_BYTES, context, async (entry) => {
    const { content, truncated } = await files.read(entry.path);
    const text = decodeText(content, truncated);
    if (text === undefined) return;
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    entry.lines = lines.length;
    entry.blank = lines.filter((line) => line.trim() === '').length;
  });
}

/** Reads files within the limits. A file that cannot be read stays without the result. */
async function readEach(
  entries: readonly SurveyEntry[],
  maxBytes: number,
  { signal }: ToolContext,
  read: (entry: SurveyEntry) => Promise<void>,
): Promise<void> {
  let [count, left] = [0, MAX_READ_BYTES];
  for (const entry of entries) {
    signal.throwIfAborted();
    if (entry.bytes > maxBytes || entry.bytes > left || count === MAX_READ) continue;
    count += 1;
    left -= entry.bytes;
    try {
      await read(entry);
    } catch (error) {
      if (!isOkaError(error, FILES_ERROR_CODES)) throw error;
    }
  }
}

/** A time as people of this machine read it, with its offset: 2026-11-17T18:10:03+01:00. */
function localTime(at: number): string {
  const date = new Date(at);
  const offset = -date.getTimezoneOffset();
  const two = (value: number): string => String(value).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${new Date(at + offset * 60_000).toISOString().slice(0, 19)}${zone}`;
}
