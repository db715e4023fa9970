import type { Decision, PlanInput } from '../../../engine/index.ts';
import { asObject } from '../../../kernel/index.ts';
import { stem } from '../../../retrieval/index.ts';
import { call, callFor, fail, failWith } from '../../findings.ts';
import { readsByPath } from '../folder-listing.ts';
import { sizeText } from '../markdown-text.ts';
import { formatOf, type ReadTable, readTableOf, type Table } from './table.ts';

const MAX_BYTES = 8 * 1_024 * 1_024;
const ROW_WORDS: ReadonlySet<string> = new Set(
  'row rows record records entry entries line lines item items data everything'.split(' '),
);

/** The step that reads the table in a file; undefined when it is known. A file without a table fails the run. */
export function lookAtTable(input: PlanInput, file: string): Decision | undefined {
  const made = callFor(input, 'files.read', file);
  if (made === undefined)
    return call(
      'files.read',
      { path: file, max_bytes: MAX_BYTES },
      `${file} has the table that the goal is about`,
    );
  if (made.failure) return failWith(made);
  const read = readIn(input, file);
  return 'problem' in read ? refuse(`${file} cannot be read as a table: ${read.problem}.`) : undefined;
}

/** The table of a file that `lookAtTable` has read. */
export function tableIn(input: PlanInput, file: string): Table {
  const read = readIn(input, file);
  return 'table' in read
    ? read.table
    : { format: 'csv', separator: ',', columns: [], rows: [], problems: [] };
}

function readIn(input: PlanInput, file: string): ReadTable {
  const { content, truncated, bytes } = asObject(readsByPath(input).get(file)?.output);
  if (typeof content !== 'string') return { problem: 'its content is not on record' };
  if (truncated === true)
    return { problem: `it has ${sizeText(Number(bytes))}, and tables are read up to ${sizeText(MAX_BYTES)}` };
  return readTableOf(file, content);
}

/** A goal that cannot be carried out as it is written; nothing was changed. */
export function refuse(reason: string): Decision {
  return fail('agent.goal_not_understood', reason, 'the goal does not fit the file');
}

/** Whether a noun means the rows of a table: "rows", or the name of its file, as "people" of people.csv. */
export function meansRows(noun: string, file: string): boolean {
  const words = noun
    .toLowerCase()
    .replace(/^(?:the|all|all the|my|only|just|every|any) /, '')
    .split(' ');
  const [word = '', ...others] = words;
  if (others.length > 0) return false;
  const name = /([^/]*?)\.[a-z]+$/i.exec(file)?.[1]?.toLowerCase() ?? '';
  return ROW_WORDS.has(word) || stem(word) === stem(name);
}

/** The one source of a goal if it is a table for certain. Other formats need words that speak of a table. */
export function isTableFile(file: string | undefined): file is string {
  return file !== undefined && formatOf(file) !== undefined;
}

export function isPlainTable(file: string): boolean {
  const format = formatOf(file);
  return format === 'csv' || format === 'tsv' || format === 'jsonl';
}
