import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { type Found, type MemoryHit, type MemoryQuery, OkaError } from '../../api/index.ts';
import { parseCount } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

export const DEFAULT_HITS = 10;

export interface FindOptions {
  readonly namespace?: string;
  readonly conversation?: string;
  readonly day?: string;
  readonly limit: number;
}

export function retrieveCommand(memory: Command, run: Run): void {
  memory
    .command('retrieve')
    .description('Search facts, episodes and runs')
    .argument('[query]')
    .option('--file <file>', 'Read queries from a file, one JSON object per line; - for standard input')
    .option('--day <day>', 'Limit episodes and runs to this day, such as 2026-01-31', parseDay)
    .option('--namespace <name>', 'Limit to this namespace')
    .option('--conversation <name>', 'Limit to this conversation')
    .option('--limit <n>', 'Show at most this many', parseCount, DEFAULT_HITS)
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka memory retrieve "what does Ada drink" --limit 5',
        `  echo '{"id":"q1","query":"what does Ada drink","namespace":"people"}' | oka memory retrieve --file -`,
        '',
        '--file prints one line per query: { id, query, hits, degraded }. Fields namespace, conversation, day and limit',
        'of a line override the options.',
      ].join('\n'),
    )
    .action((query: string | undefined, { file, ...options }: FindOptions & { readonly file?: string }) =>
      run(async (context) => {
        if ((query === undefined) === (file === undefined))
          throw new OkaError('cli.usage', 'Give either a query or --file.');
        if (query !== undefined) {
          const answer = await (await context.open()).memory.retrieve({ query, ...options });
          context.printer.answer(answer, showHits);
          return EXIT.ok;
        }
        const queries = (await readLines(file as string)).flatMap((line, place) =>
          line.trim() === '' ? [] : [parseQuery(line, place + 1)],
        );
        const api = (await context.open()).memory;
        for (const { id, ...rest } of queries) {
          const request = { ...options, ...rest };
          const answer = { ...(id === undefined ? {} : { id }), query: request.query };
          const line = JSON.stringify({ ...answer, ...(await api.retrieve(request)) });
          if (!context.printer.line(line)) break;
        }
        return EXIT.ok;
      }),
    );
}

type BatchQuery = Pick<MemoryQuery, 'query'> & Partial<MemoryQuery> & { readonly id?: string | number };

/** Null fields count as missing, and unknown fields are ignored. */
function parseQuery(line: string, number: number): BatchQuery {
  const value = parseObject(line, number);
  const { query, namespace, conversation, day, limit, id } = Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== null),
  );
  if (typeof query !== 'string') throw invalidLine(number, '"query" must be a string');
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw invalidLine(number, '"id" must be a string or a number');
  if (namespace !== undefined && typeof namespace !== 'string')
    throw invalidLine(number, '"namespace" must be a string');
  if (conversation !== undefined && typeof conversation !== 'string')
    throw invalidLine(number, '"conversation" must be a string');
  if (day !== undefined && !(typeof day === 'string' && isDay(day)))
    throw invalidLine(number, '"day" must be a day such as 2026-01-31');
  if (limit !== undefined && !(Number.isSafeInteger(limit) && (limit as number) >= 0))
    throw invalidLine(number, '"limit" must be a whole number of 0 or more');
  return {
    query,
    ...(id === undefined ? {} : { id }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(conversation === undefined ? {} : { conversation }),
    ...(day === undefined ? {} : { day }),
    ...(limit === undefined ? {} : { limit: limit as number }),
  };
}

function parseObject(line: string, number: number): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw invalidLine(number, `it is not JSON: ${(cause as Error).message}`, cause);
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw invalidLine(number, 'it is not a JSON object');
}

function invalidLine(line: number, problem: string, cause?: unknown): OkaError {
  const example = 'Example: {"id":"q1","query":"what does Ada drink","limit":5}';
  return new OkaError(
    'cli.invalid_json',
    `Line ${line} is invalid, so no query ran: ${problem}. ${example}.`,
    {
      data: { line },
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

/** Reads a file, or standard input for `-`. */
export async function readLines(file: string): Promise<string[]> {
  try {
    if (file !== '-') return (await readFile(file, 'utf8')).split('\n');
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8').split('\n');
  } catch (cause) {
    const what = file === '-' ? 'standard input' : file;
    const problem = `Cannot read ${what}: ${(cause as Error).message}. Give a file, or -.`;
    throw new OkaError('cli.usage', problem, { cause });
  }
}

export function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('Expected a day such as 2026-01-31');
}

function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text);
}

export function showHits({ hits, notice }: Found): string {
  const note = notice === undefined ? '' : `\n(degraded: ${visible(notice)})`;
  if (hits.length === 0) return `No matches${note}`;
  const rows = hits.map((hit) => [
    hit.score.toFixed(2),
    hit.kind,
    clip(hit.id, 40),
    showTime(hit.at).slice(0, 10),
    showWhy(hit),
    clip(`${hit.stale ? '(stale) ' : ''}${hit.text}`, 80),
  ]);
  return table(['score', 'kind', 'id', 'day (UTC)', 'why', 'text'], rows) + note;
}

function showWhy({ why }: MemoryHit): string {
  return Object.entries(why)
    .filter(([, share]) => Math.abs(share) >= 0.005)
    .map(([part, share]) => `${part} ${share.toFixed(2)}`)
    .join(', ');
}
