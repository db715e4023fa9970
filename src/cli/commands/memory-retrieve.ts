import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { type Found, type MemoryHit, type MemoryQuery, OkaError } from '../../api/index.ts';
import { parseCount } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

/** How many hits are shown unless told. */
export const HITS = 10;

/** What narrows a search. */
export interface FindOptions {
  readonly namespace?: string;
  readonly conversation?: string;
  readonly day?: string;
  readonly limit: number;
}

export function retrieveCommand(memory: Command, run: Run): void {
  memory
    .command('retrieve')
    .description('facts and what happened together, as a run would be given them')
    .argument('[query]')
    .option('--file <file>', 'many questions, one JSON object a line; - for standard input')
    .option('--day <day>', 'episodes and runs only of this day, as in 2026-01-31', parseDay)
    .option('--namespace <name>', 'only of this namespace')
    .option('--conversation <name>', 'only what was said in this conversation')
    .option('--limit <n>', 'how many at the most', parseCount, HITS)
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka memory retrieve "what does Ada drink" --limit 5',
        `  echo '{"id":"q1","query":"what does Ada drink","namespace":"people"}' | oka memory retrieve --file -`,
        '',
        'Each line of --file is answered with a line: { id, query, hits, degraded }. A line may have a namespace,',
        'a conversation, a day and a limit of its own; the options hold for the others.',
      ].join('\n'),
    )
    .action((query: string | undefined, { file, ...options }: FindOptions & { readonly file?: string }) =>
      run(async (context) => {
        if ((query === undefined) === (file === undefined))
          throw new OkaError('cli.usage', 'give either a question or --file with questions.');
        if (query !== undefined) {
          const answer = await (await context.open()).memory.retrieve({ query, ...options });
          context.printer.answer(answer, showHits);
          return EXIT.ok;
        }
        const questions = (await readLines(file as string)).flatMap((line, place) =>
          line.trim() === '' ? [] : [readQuestion(line, place + 1)],
        );
        const api = (await context.open()).memory;
        for (const { id, ...question } of questions) {
          const request = { ...options, ...question };
          const answer = { ...(id === undefined ? {} : { id }), query: request.query };
          const line = JSON.stringify({ ...answer, ...(await api.retrieve(request)) });
          if (!context.printer.line(line)) break;
        }
        return EXIT.ok;
      }),
    );
}

type Question = Pick<MemoryQuery, 'query'> & Partial<MemoryQuery> & { readonly id?: string | number };

/** A question as a line has it; null is as good as missing, and members that are not known are left out. */
function readQuestion(line: string, number: number): Question {
  const value = parseObject(line, number);
  const { query, namespace, conversation, day, limit, id } = Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== null),
  );
  if (typeof query !== 'string') throw refused(number, 'it has no "query" that is a text');
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw refused(number, 'its "id" is neither a text nor a number');
  if (namespace !== undefined && typeof namespace !== 'string')
    throw refused(number, 'its "namespace" is no text');
  if (conversation !== undefined && typeof conversation !== 'string')
    throw refused(number, 'its "conversation" is no text');
  if (day !== undefined && !(typeof day === 'string' && isDay(day)))
    throw refused(number, 'its "day" is none, as in 2026-01-31');
  if (limit !== undefined && !(Number.isSafeInteger(limit) && (limit as number) >= 0))
    throw refused(number, 'its "limit" is not a whole number of 0 or more');
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
    throw refused(number, `it is not JSON: ${(cause as Error).message}`, cause);
  }
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw refused(number, 'it is not a JSON object');
}

function refused(line: number, problem: string, cause?: unknown): OkaError {
  const example = 'Write it as in {"id":"q1","query":"what does Ada drink","limit":5}';
  return new OkaError(
    'cli.invalid_json',
    `line ${line} cannot be asked, so nothing was: ${problem}. ${example}.`,
    {
      data: { line },
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

/** The lines of a file; `-` is standard input. */
export async function readLines(file: string): Promise<string[]> {
  try {
    if (file !== '-') return (await readFile(file, 'utf8')).split('\n');
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8').split('\n');
  } catch (cause) {
    const what = file === '-' ? 'standard input' : file;
    const problem = `${what} cannot be read: ${(cause as Error).message}. Give a file, or -.`;
    throw new OkaError('cli.usage', problem, { cause });
  }
}

/** A day as people write it. */
export function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('Give a day, as in 2026-01-31');
}

function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text);
}

export function showHits({ hits, notice }: Found): string {
  const told = notice === undefined ? '' : `\n(degraded: ${visible(notice)})`;
  if (hits.length === 0) return `nothing fits${told}`;
  const rows = hits.map((hit) => [
    hit.score.toFixed(2),
    hit.kind,
    clip(hit.id, 40),
    showTime(hit.at).slice(0, 10),
    showWhy(hit),
    clip(`${hit.stale ? '(stale) ' : ''}${hit.text}`, 80),
  ]);
  return table(['score', 'kind', 'id', 'day (UTC)', 'why', 'text'], rows) + told;
}

function showWhy({ why }: MemoryHit): string {
  return Object.entries(why)
    .filter(([, share]) => Math.abs(share) >= 0.005)
    .map(([part, share]) => `${part} ${share.toFixed(2)}`)
    .join(', ');
}
