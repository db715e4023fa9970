import { type Command, InvalidArgumentError } from 'commander';
import { type Found, type MemoryHit, type MemoryQuery, OkaError, parseJson } from '../../api/index.ts';
import { isDay, parseCount, usageProblem } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { readLines } from '../read-input.ts';
import type { Run } from '../run.ts';

export const DEFAULT_HITS = 10;

export type FindOptions = Omit<MemoryQuery, 'query'>;

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
        '--file prints one line per query: { id, query, hits, confidence, certain, degraded }. Fields namespace, conversation, day and limit',
        'of a line override the options.',
      ].join('\n'),
    )
    .action((query: string | undefined, { file, ...options }: FindOptions & { readonly file?: string }) =>
      run(async (context) => {
        if ((query === undefined) === (file === undefined))
          throw usageProblem('Give either a query or --file.');
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
          if (!context.printer.record(line)) break;
        }
        return EXIT.ok;
      }),
    );
}

type BatchQuery = Pick<MemoryQuery, 'query'> & Partial<MemoryQuery> & { readonly id?: string | number };

const FIELDS = ['query', 'namespace', 'conversation', 'day', 'limit', 'id'];

/** Null fields count as missing, and unknown fields are ignored. */
function parseQuery(line: string, number: number): BatchQuery {
  const value = parseObject(line, number);
  const members = Object.entries(value).filter(([name, member]) => FIELDS.includes(name) && member !== null);
  const { query, namespace, conversation, day, limit, id } = Object.fromEntries(members);
  if (typeof query !== 'string') throw invalidLine(number, '"query" must be a string');
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw invalidLine(number, '"id" must be a string or a number');
  for (const [name, member] of Object.entries({ namespace, conversation }))
    if (member !== undefined && typeof member !== 'string')
      throw invalidLine(number, `"${name}" must be a string`);
  if (day !== undefined && !(typeof day === 'string' && isDay(day)))
    throw invalidLine(number, '"day" must be a day such as 2026-01-31');
  if (limit !== undefined && !(Number.isSafeInteger(limit) && (limit as number) >= 0))
    throw invalidLine(number, '"limit" must be a whole number of 0 or more');
  return Object.fromEntries(members) as unknown as BatchQuery;
}

function parseObject(line: string, number: number): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJson(line.replace(/^\uFEFF/, ''));
  } catch (cause) {
    throw invalidLine(number, `it is not JSON: ${(cause as Error).message}`, cause);
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw invalidLine(number, 'it is not a JSON object');
}

function invalidLine(line: number, problem: string, cause?: unknown): OkaError {
  const example = 'Example: {"id":"q1","query":"what does Ada drink","limit":5}';
  const message = `Line ${line} is invalid, so no query ran: ${problem}. ${example}.`;
  return new OkaError('cli.invalid_json', message, { data: { line }, cause });
}

export function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('Expected a day such as 2026-01-31');
}

export function showHits({ hits, notice, certain, confidence }: Found): string {
  const doubt =
    certain || hits.length === 0 ? '' : `\nNothing certain was found (confidence ${confidence.toFixed(2)})`;
  const note = doubt + (notice === undefined ? '' : `\n(degraded: ${visible(notice)})`);
  if (hits.length === 0) return `No matches${note}`;
  const rows = hits.map((hit) => [
    hit.score.toFixed(2),
    hit.kind,
    clip(hit.id, 40),
    showTime(hit.at).slice(0, 10),
    showWhy(hit),
    clip(`${freshnessMark(hit)}${hit.text}`, 80),
  ]);
  return table(['score', 'kind', 'id', 'day (UTC)', 'why', 'text'], rows) + note;
}

/** Marks a fact whose file has changed or could not be compared. */
export function freshnessMark({ stale, unchecked }: Pick<MemoryHit, 'stale' | 'unchecked'>): string {
  if (stale) return '(stale) ';
  return unchecked === undefined ? '' : `(not checked${showSince(unchecked)}) `;
}

export function showSince({ since }: NonNullable<MemoryHit['unchecked']>): string {
  return since === undefined ? '' : ` since ${showTime(since)}`;
}

function showWhy({ why }: MemoryHit): string {
  return Object.entries(why)
    .filter(([, share]) => Math.abs(share) >= 0.005)
    .map(([part, share]) => `${part} ${share.toFixed(2)}`)
    .join(', ');
}
