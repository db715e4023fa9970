import type { GoalPhrase } from '../goal-phrase.ts';
import { formatOf } from './table.ts';
import { isPlainTable, meansRows } from './table-source.ts';

/** What a goal wants of the rows of a table, in the order in which it is done. Names are as written. */
export interface RowsTask {
  readonly where?: string;
  /** The rows that fit are removed, and not kept. */
  readonly negate?: true;
  /** Rows that occur again are removed: of all columns, or of the named ones. */
  readonly unique?: 'rows' | { readonly by: string };
  /** Rows that occur more than once are shown. */
  readonly repeated?: 'rows' | { readonly by: string };
  readonly sort?: string;
  readonly descending?: true;
  readonly limit?: number;
  /** The rows at the end, and not at the beginning. */
  readonly last?: true;
  readonly columns?: string;
  readonly without?: string;
  /** The goal asks for a change of the file itself. */
  readonly inPlace?: true;
}

const THE = '(?:(?:only|just|all|the|all the|my|every|any|each|of|those|these) )*';
const SHOW =
  '(?:show|list|find|filter|get|give|select|extract|keep|copy|write|save|put|display|print|pick|take|return|see|view|export|read|which|what are|who are|only|just|preview)';
const REMOVE =
  '(?:remove|delete|drop|exclude|discard|filter out|omit|leave out|throw out|strip|get rid of|clean out)';
const ROWS = '(?:rows?|records?|entries|entry|lines?|items?|data)';
const DUPLICATE = '(?:duplicates?|duplicated|repeated|double|doubled|repeating)';
const SORT =
  /(?:^|,? )(?:and )?(?:then )?(?:sort|sorted|order|ordered|rank|ranked|arrange|arranged)(?: (?<noun>(?:the |all )?[a-z]+))?(?: (?:alphabetically|numerically))? (?:by|on) (?<sort>.+)$/i;
const DESCENDING =
  /,? (?:in )?(?:(?:a )?(?:descending|desc|reverse|reversed|decreasing|falling)(?: order)?|(?:the )?(?:highest|largest|biggest|newest|latest|most|oldest people) first|from (?:high|highest|large|new|newest) to (?:low|lowest|small|old|oldest)|(?:from )?z (?:to|-) a|high to low|largest to smallest)$/i;
const ASCENDING =
  /,? (?:in )?(?:(?:a )?(?:ascending|asc|increasing|rising|alphabetical|alphabetically)(?: order)?|(?:the )?(?:lowest|smallest|oldest|earliest|least) first|from (?:low|lowest|small|old|oldest) to (?:high|highest|large|new|newest)|(?:from )?a (?:to|-) z|low to high|smallest to largest)$/i;
const WHERE =
  /(?:^|,? )(?:(?<not>without|except|excluding|but not)(?: for)?(?: those| the ones| ones| rows)?(?: where| with| whose)?|(?:for )?(?:those |the ones |ones )?(?:where|whose|with|having|(?:that |which |who )?(?:have|has)|that are|which are|who are|for which|in which|when|if|for))(?: the)? (?<where>.+)$/i;
const BY = /^(?:filter|filter (?:it|rows|the rows)) (?:by|on|to|for) (?<where>.+)$/i;

/** Reads what a goal wants of rows; undefined when it is about something else. */
export function readRowsTask({ line, plain }: GoalPhrase, file: string): RowsTask | undefined {
  // Text around a table has lines and words too.
  if (formatOf(file) === 'md' && !/\b(?:rows?|tables?|columns?|records?)\b/i.test(line)) return undefined;
  const said = (piece: string | undefined): string => plain(piece ?? '', 'quotes');
  const sorted = takeSort(line, file);
  const filtered = takeWhere(sorted.rest);
  const { where } = filtered;
  const head = filtered.rest.trim();
  const clauses: RowsTask = {
    ...(where === undefined ? {} : { where: said(where) }),
    ...(filtered.negate ? { negate: true as const } : {}),
    ...(sorted.sort === undefined ? {} : { sort: said(sorted.sort) }),
    ...(sorted.descending ? { descending: true as const } : {}),
  };
  const wanted = readHead(head, file, clauses, said);
  if (wanted === undefined) return undefined;
  const task = { ...clauses, ...wanted };
  return Object.keys(task).length === 0 ? undefined : task;
}

function takeSort(line: string, file: string): { rest: string; sort?: string; descending?: boolean } {
  const direction = DESCENDING.exec(line) ?? ASCENDING.exec(line);
  const shorter = direction ? line.slice(0, direction.index) : line;
  const found = SORT.exec(shorter);
  const noun = found?.groups?.['noun'];
  if (
    !found ||
    (noun !== undefined && !/^(?:it|them|the table|the file)$/i.test(noun) && !meansRows(noun, file))
  )
    return { rest: line };
  return {
    rest: shorter.slice(0, found.index),
    sort: found.groups?.['sort'] ?? '',
    descending: DESCENDING.test(line),
  };
}

function takeWhere(line: string): { rest: string; where?: string; negate?: boolean } {
  const by = BY.exec(line);
  if (by) return { rest: 'filter', where: by.groups?.['where'] ?? '' };
  const found = WHERE.exec(line);
  if (!found) return { rest: line };
  const not = found.groups?.['not'] !== undefined;
  return { rest: line.slice(0, found.index), where: found.groups?.['where'] ?? '', negate: not };
}

/** Reads what comes before the conditions: which rows or columns, and whether they are removed. */
function readHead(
  head: string,
  file: string,
  { where, sort }: RowsTask,
  said: (piece: string) => string,
): RowsTask | undefined {
  const limited = new RegExp(
    `^(?:${SHOW} )?(?:me )?${THE}(?:(?<end>first|last|top|bottom) (?:@n(?<n>\\d+) )?|@n(?<m>\\d+) )(?:${ROWS}|(?<noun>\\S+))$`,
    'i',
  ).exec(head)?.groups;
  if (limited && (limited['noun'] === undefined || meansRows(limited['noun'], file))) {
    const mark = limited['n'] ?? limited['m'];
    const n = mark === undefined ? 10 : Number(said(`@n${mark}`));
    const last = /last|bottom/i.test(limited['end'] ?? '') ? { last: true as const } : {};
    return Number.isInteger(n) && n > 0 ? { limit: n, ...last } : undefined;
  }
  const duplicates = readDuplicates(head, said);
  if (duplicates !== undefined) return where === undefined ? duplicates : undefined;
  const removed = new RegExp(`^${REMOVE} (?:me )?${THE}(?<what>.*)$`, 'i').exec(head)?.groups?.['what'];
  if (removed !== undefined) return readRemoval(removed, file, where, said);
  const shown =
    new RegExp(`^(?:${SHOW}(?: me)?(?: |$))?${THE}(?<what>.*)$`, 'i').exec(head)?.groups?.['what'] ?? '';
  const what = shown.trim();
  if (what === '' || meansRows(what, file)) return where === undefined && sort === undefined ? undefined : {};
  if (/^(?:in|as) (?:a )?(?:nice )?table$/i.test(what)) return { limit: Number.MAX_SAFE_INTEGER };
  if (/^(?:columns?|fields?|header|headers?|column names|names of (?:the )?columns)$/i.test(what))
    return undefined;
  const columns = /^(?:the )?columns? (?<after>.+)$|^(?<before>.+?) columns?$/i.exec(what)?.groups;
  const named = columns?.['after'] ?? columns?.['before'];
  // "show x in data.json" may mean a key, and "find x in notes.md" a text.
  const isShown = new RegExp(`^${SHOW}\\b`, 'i').test(head);
  const isQuestion = /^(?:find|which|read|what|who)\b/i.test(head);
  const hasClause = where !== undefined || sort !== undefined;
  const isCertain = named !== undefined || (isShown && (hasClause || (isPlainTable(file) && !isQuestion)));
  return isCertain ? { columns: said(named ?? what) } : undefined;
}

function readRemoval(
  what: string,
  file: string,
  where: string | undefined,
  said: (piece: string) => string,
): RowsTask | undefined {
  if (where !== undefined) return meansRows(what, file) ? { negate: true, inPlace: true } : undefined;
  const empty = new RegExp(`^(?:empty|blank) ${ROWS}$`, 'i').test(what);
  if (empty) return undefined;
  const columns = /^columns? (?<after>.+)$|^(?<before>.+?) columns?$/i.exec(what)?.groups;
  const named = columns?.['after'] ?? columns?.['before'];
  return named === undefined ? undefined : { without: said(named), inPlace: true };
}

function readDuplicates(head: string, said: (piece: string) => string): RowsTask | undefined {
  const by = '(?: (?:by|on|based on|of|with the same) (?:the )?(?<by>.+))?';
  const removed = new RegExp(
    `^(?:(?:${REMOVE}|eliminate) ${THE}${DUPLICATE}(?: ${ROWS})?|(?:deduplicate|dedupe|de-duplicate|dedup)(?: (?:the )?${ROWS})?)${by}$`,
    'i',
  ).exec(head);
  if (removed) {
    const name = removed.groups?.['by'];
    return { unique: name === undefined ? 'rows' : { by: said(name) }, inPlace: true };
  }
  if (new RegExp(`^(?:${SHOW} )?${THE}(?:unique|distinct) ${ROWS}$`, 'i').test(head))
    return { unique: 'rows' };
  const shown = new RegExp(
    `^(?:(?:${SHOW}|check|count|how many|are there|does it have|is there|has|any)(?: me)?(?: for)? )?${THE}${DUPLICATE}(?: (?<what>.+))?$`,
    'i',
  ).exec(head);
  if (!shown) return undefined;
  const what = shown.groups?.['what'];
  const isRows = what === undefined || new RegExp(`^${ROWS}$`, 'i').test(what);
  return { repeated: isRows ? 'rows' : { by: said(what.replace(/^(?:by|in|of|values? (?:of|in)) /i, '')) } };
}
