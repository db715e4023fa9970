// Owns: what is below a folder: counts, sums and lists over everything there, made while the disk is read.
// I1 The totals count every entry that fits. Whatever could not be seen is in `unreadable`.
import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../../engine/index.ts';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import { type FileSelection, firstInOrder, isSelected } from '../../language/index.ts';
import { defineTool, READS } from '../define-tool.ts';
import { FILES_ERROR_CODES, type ToolsErrorCode } from '../errors.ts';
import type { FileEntry, Files } from '../ports.ts';
import { readLines } from '../read-lines.ts';
import { Totals, totals } from './totals.ts';

/** Files that are read at the same time. */
const READS_AT_ONCE = 8;
/** Without an end a disk that does not answer would keep a run forever. */
const TIMEOUT_MS = 6 * 3_600_000;

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

const select = z
  .strictObject({
    what: z.enum(['files', 'folders', 'everything']).default('everything'),
    extensions: z.array(z.string()).default([]).describe('in lower case, without the dot; none for all'),
    names: z
      .array(
        z.strictObject({
          how: z.enum(['is', 'starts', 'ends', 'contains', 'fits']),
          text: z.string(),
          not: z.boolean().optional(),
        }),
      )
      .default([]),
    above: z.number().optional().describe('larger than so many bytes'),
    below: z.number().optional().describe('smaller than so many bytes'),
    isEmpty: z.boolean().optional(),
    except: z.array(z.string()).default([]).describe('folders or files to leave out'),
    isShallow: z.boolean().optional().describe('without subfolders'),
    order: z.enum(['largest', 'smallest', 'newest', 'oldest', 'longest', 'name']).optional(),
  })
  .describe('the conditions of the entries to return and to count');

const input = z.strictObject({
  path: z.string().min(1).default('.').describe('the folder or file, relative to the workspace'),
  depth: z.int().min(1).optional().describe('the number of levels; without one, all'),
  limit: z.int().min(0).optional().describe('the number of entries to return; the totals count all'),
  modified: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('a period such as "last week" or "older than 30 days"; with select, a condition'),
  select: select.optional(),
  without: z.string().optional().describe('a path to leave out'),
  digests: z
    .enum(['same_size', 'all'])
    .optional()
    .describe('adds SHA-256 digests; same_size returns only files that share their size with another'),
  lines: z.boolean().default(false).describe('adds the numbers of lines of text files'),
  ignored: z.boolean().default(false).describe('includes folders that ignore files exclude'),
});

export const surveyFiles: Tool = defineTool({
  name: 'files.survey',
  description:
    'Counts, sums and lists everything below a folder of the workspace, with sizes and times, and on request digests and numbers of lines.',
  input,
  output: z.strictObject({
    path: z.string(),
    at: z.int().describe('the time of the survey, in milliseconds since 1970'),
    period: z
      .strictObject({ from: z.int().optional(), until: z.int().optional() })
      .optional()
      .describe('the period: from the first to before the second time'),
    entries: z.array(surveyEntry),
    totals: totals.describe('of all entries that fit, returned or not'),
    all: z.strictObject({ files: z.int(), bytes: z.int() }).describe('everything, whether it fits or not'),
    skipped: z.array(z.string()).describe('folders that ignore files exclude'),
    links: z.array(z.string()).describe('links and other entries that are not followed'),
    unreadable: z.array(z.string()).describe('what could not be read, so that the totals miss it'),
    truncated: z.boolean().describe('whether the limit left out entries that fit'),
  }),
  ...READS,
  timeoutMs: TIMEOUT_MS,
  countsAs: ['files.list', 'files.read'],
  async handler(asked, context) {
    const files = requireCapability<Files>(context, 'files');
    const at = context.now();
    const period = asked.modified === undefined ? undefined : await periodOf(asked.modified, at);
    const root = await files.stat(asked.path);
    const isFile = root?.kind === 'file';
    const path = isFile ? root.path : (await files.list(asked.path, { depth: 1, max: 0 })).path;
    const selection: FileSelection | undefined = asked.select && {
      ...asked.select,
      kinds: [],
      places: [path],
      ...(asked.modified !== undefined && { modified: asked.modified }),
    };
    const found = {
      totals: new Totals(path),
      all: { files: 0, bytes: 0 },
      skipped: [] as string[],
      links: [] as string[],
      unreadable: [] as string[],
    };
    let kept: SurveyEntry[] = [];
    const first = (most = asked.limit): SurveyEntry[] =>
      firstInOrder(kept, { order: selection?.order, most }) as SurveyEntry[];
    let batch: SurveyEntry[] = [];
    const take = async (): Promise<void> => {
      if (asked.lines) await Promise.all(batch.map((entry) => addLines(entry, files, context, found)));
      for (const entry of batch) found.totals.add(entry);
      if (asked.limit !== 0) kept.push(...batch);
      if (asked.limit !== undefined && kept.length > 2 * asked.limit + 1_000) kept = first();
      batch = [];
    };
    const { ignored, depth } = asked;
    const options = { ignored: ignored || ('files' as const), all: true, ...(depth && { depth }) };
    for await (const { entry, isEmpty } of withEmptiness(isFile ? [root] : files.walk(asked.path, options))) {
      context.signal.throwIfAborted();
      if (entry.path === asked.without) continue;
      if (entry.closed === 'ignored') found.skipped.push(entry.path);
      else if (entry.closed === 'unreadable') found.unreadable.push(entry.path);
      else if (entry.kind === 'link' || entry.kind === 'other') found.links.push(entry.path);
      if (entry.closed === 'ignored' || (entry.closed && entry.kind === 'other')) continue;
      if (entry.kind === 'file') {
        found.all.files += 1;
        found.all.bytes += entry.bytes;
      }
      const surveyed = toSurveyEntry(entry);
      if (selection && !isSelected(surveyed, selection, period, isEmpty)) continue;
      if (batch.push(surveyed) === READS_AT_ONCE) await take();
    }
    await take();
    if (asked.digests !== undefined) kept = await addDigests(kept, asked.digests, files, context, found);
    const entries = first();
    return {
      path,
      at,
      ...(period && { period }),
      ...found,
      entries,
      totals: found.totals.result(),
      truncated: asked.digests === undefined && entries.length < found.totals.entries,
    };
  },
});

interface Unread {
  readonly unreadable: string[];
}

/** Each entry of a walk, and whether it is a folder without anything in it: then the next entry is not below it. */
async function* withEmptiness(
  walk: AsyncIterable<FileEntry> | Iterable<FileEntry>,
): AsyncGenerator<{ readonly entry: FileEntry; readonly isEmpty: boolean }> {
  let held: FileEntry | undefined;
  for await (const entry of walk) {
    if (held) yield { entry: held, isEmpty: !held.closed && !entry.path.startsWith(`${held.path}/`) };
    held = entry;
  }
  if (held) yield { entry: held, isEmpty: !held.closed };
}

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

function toSurveyEntry({ path, kind, bytes, modifiedAt }: FileEntry): SurveyEntry {
  return { path, kind, bytes, ...(modifiedAt !== undefined && { modified: localTime(modifiedAt) }) };
}

/** The files with their digests: all, or those that share their size with another. */
async function addDigests(
  entries: readonly SurveyEntry[],
  which: 'same_size' | 'all',
  files: Files,
  { signal }: ToolContext,
  found: Unread,
): Promise<SurveyEntry[]> {
  const sizes = new Map<number, number>();
  for (const { kind, bytes } of entries) if (kind === 'file') sizes.set(bytes, (sizes.get(bytes) ?? 0) + 1);
  const wanted = entries.filter(
    ({ kind, bytes }) => kind === 'file' && (which === 'all' || (bytes > 0 && (sizes.get(bytes) ?? 0) > 1)),
  );
  for (let at = 0; at < wanted.length; at += READS_AT_ONCE) {
    signal.throwIfAborted();
    const next = wanted.slice(at, at + READS_AT_ONCE);
    await Promise.all(
      next.map((entry) =>
        reading(entry, found, async () => {
          const digest = await files.digest(entry.path);
          if (digest !== undefined) entry.digest = digest;
        }),
      ),
    );
  }
  return which === 'all' ? [...entries] : wanted;
}

async function addLines(
  entry: SurveyEntry,
  files: Files,
  context: ToolContext,
  found: Unread,
): Promise<void> {
  if (entry.kind !== 'file') return;
  await reading(entry, found, async () => {
    let [lines, blank] = [0, 0];
    const digest = await readLines(files, entry.path, context, (line) => {
      lines += 1;
      if (line.trim() === '') blank += 1;
    });
    if (digest !== undefined) Object.assign(entry, { lines, blank });
  });
}

/** A file that cannot be read stays without the result, and is named. */
async function reading({ path }: SurveyEntry, found: Unread, read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!isOkaError(error, FILES_ERROR_CODES)) throw error;
    found.unreadable.push(path);
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
