// Owns: goals about tables: "total units by product in sales.csv where region is north but not Acme".
import type { Action, Figure, Query, RowCondition, TableQuery } from '../meaning.ts';
import { inOrder, listOf, map, maybe, oneOf, oneWord, type Rule, rule, said, several } from '../parser.ts';
import { isGrammarWord } from '../vocabulary.ts';
import { period } from './periods.ts';
import { count, file, number } from './values.ts';

/** A column as it is written: one to three words, or a quoted name. */
const columnWord = oneWord(({ kind, text, said: written, isFiller }) => {
  if (kind === 'quoted') return written;
  return kind !== undefined || isFiller || (isGrammarWord(text) && !MAY_NAME_COLUMNS.has(text)) ? undefined : written;
});
const MAY_NAME_COLUMNS: ReadonlySet<string> = new Set(
  'date time name amount number total count year month day hour size line word author status note table color'.split(' '),
);
const columnName: Rule<string> = rule(() =>
  map(
    inOrder(
      maybe(said('column|field')),
      oneOf(oneWord(({ kind, text }) => (kind === 'quoted' ? text : undefined)), map(several(plainWord, 1), (words) => (words.length > 3 ? undefined : words.join(' ')))),
      maybe(said('column|columns|field|fields|values|values of|value')),
    ),
    ([, name]) => name,
  ),
);
const plainWord = map(columnWord, (word) => (/[\p{L}\p{N}]/u.test(word) && !DIRECTIONS.has(word) ? word : undefined));
const DIRECTIONS: ReadonlySet<string> = new Set(['per', 'each', 'ascending', 'descending', 'asc', 'desc', 'unique', 'distinct', 'different']);

const FIGURES: Readonly<Record<string, Figure['figure']>> = {
  total: 'sum',
  sum: 'sum',
  'sum up': 'sum',
  add: 'sum',
  'add up': 'sum',
  'how much': 'sum',
  average: 'average',
  mean: 'average',
  avg: 'average',
  median: 'median',
  smallest: 'smallest',
  lowest: 'smallest',
  minimum: 'smallest',
  min: 'smallest',
  earliest: 'smallest',
  cheapest: 'smallest',
  largest: 'largest',
  highest: 'largest',
  maximum: 'largest',
  max: 'largest',
  biggest: 'largest',
  latest: 'largest',
};
const figureWord = map(said(Object.keys(FIGURES).join('|')), (word) => FIGURES[word]);

/** "total units", "min and max of units", "the average of the price column", "how many rows". */
const figures: Rule<readonly Figure[]> = rule(() =>
  oneOf<readonly Figure[]>(
    map(inOrder(listOf(figureWord), maybe(said('of|for|value of|of column')), columnName), ([list, , column]) =>
      list.map((figure) => ({ figure, column })),
    ),
    map(said('how many rows|how many records|how many entries|count rows|count records|number of rows|row count|count of rows|how many lines of data'), () => [{ figure: 'rows' }]),
    map(inOrder(said('how many different|how many distinct|how many unique|number of different|number of distinct|count distinct|number of unique'), columnName), ([, column]) => [
      { figure: 'different', column },
    ]),
  ),
);

const ASK = maybe(said("what is|what's|what are|show|show me|give me|tell me|calculate|compute|get|find|print|list|find out|display|determine|work out|what was|what were"));

/** The value that a column is compared with: quoted, a number, or words up to the next phrase. */
const value: Rule<string | number> = rule(() =>
  oneOf<string | number>(
    number,
    oneWord(({ kind, text }) => (kind === 'quoted' || kind === 'date' || kind === 'path' ? text : undefined)),
    map(several(valueWord, 1), (words) => (words.length > 4 ? undefined : words.join(' '))),
  ),
);
const valueWord = oneWord(({ kind, text, said: written, isFiller }) =>
  kind !== undefined || isFiller || text === ',' || isGrammarWord(text) ? undefined : written,
);

const IS = said('is|are|was|equals|equal|is equal to|=|==|is exactly|has value|of');
const NOT = said("is not|isn't|are not|aren't|is other than|differs from|does not equal|!=|<>|not equal to|is not equal to|is different from|was not");

/** Stands for the column in a comparison that is read before its column is put in. */
const ANY = '';

function about(column: string, condition: RowCondition): RowCondition {
  if ('all' in condition) return { all: condition.all.map((one) => about(column, one)) };
  if ('any' in condition) return { any: condition.any.map((one) => about(column, one)) };
  return 'not' in condition ? { not: about(column, condition.not) } : { ...condition, column };
}

/** One comparison after its column. Each is written with every word that people use for it. */
const comparison: Rule<RowCondition> = rule(() => {
  const above = said(
    'is above|above|is over|over|is more than|more than|is greater than|greater than|is larger than|larger than|is bigger than|bigger than|is higher than|higher than|exceeds|is beyond|>',
  );
  const below = said(
    'is below|below|is under|under|is less than|less than|is smaller than|smaller than|is lower than|lower than|is beneath|beneath|is fewer than|fewer than|<',
  );
  const atLeast = said(
    'is at least|at least|is greater or equal to|greater or equal to|is greater than or equal to|is larger or equal to|is larger than or equal to|is more than or equal to|is no less than|is not less than|is not below|is not under|is not smaller than|>=|≥|no less than',
  );
  const atMost = said(
    'is at most|at most|is less or equal to|less or equal to|is less than or equal to|is smaller or equal to|is smaller than or equal to|is lower than or equal to|is no more than|is not more than|is not above|is not over|is not larger than|is not greater than|<=|≤|no more than|up to|is up to',
  );
  return oneOf<RowCondition>(
    map(inOrder(above, number), ([, n]) => ({ column: ANY, above: n })),
    map(inOrder(below, number), ([, n]) => ({ column: ANY, below: n })),
    map(inOrder(atLeast, number), ([, n]) => ({ not: { column: ANY, below: n } })),
    map(inOrder(atMost, number), ([, n]) => ({ not: { column: ANY, above: n } })),
    map(inOrder(maybe(said('is')), said('between'), number, said('and'), number), ([, , low, , high]) => ({
      all: [{ not: { column: ANY, above: high } }, { not: { column: ANY, below: low } }],
    })),
    map(inOrder(IS, listOf(value, 'or|, or|,')), ([, values]) => any(values.map((one) => ({ column: ANY, equals: one })))),
    map(inOrder(NOT, listOf(value, 'or|nor|, or|,')), ([, values]) => ({ not: any(values.map((one) => ({ column: ANY, equals: one }))) })),
    map(inOrder(said('contains|contain|includes|has|mentions|containing|including|has in it'), value), ([, text]) => ({ column: ANY, contains: String(text) })),
    map(inOrder(said('does not contain|does not include|not containing'), value), ([, text]) => ({ not: { column: ANY, contains: String(text) } })),
    map(inOrder(said('starts with|begins with|starting with|beginning with'), value), ([, text]) => ({ column: ANY, starts: String(text) })),
    map(inOrder(said('ends with|ends in|ending with|ending in'), value), ([, text]) => ({ column: ANY, ends: String(text) })),
    map(said('is empty|is missing|is blank|is not set|is not given'), () => ({ column: ANY, missing: true })),
    map(said('is not empty|is not missing|is not blank|is set|is given|is there'), () => ({ not: { column: ANY, missing: true as const } })),
    map(inOrder(maybe(said('is|was')), period), ([, when]) => ({ column: ANY, period: when })),
  );
});

const row: Rule<RowCondition> = rule(() =>
  oneOf<RowCondition>(
    map(inOrder(maybe(said('whose|with|having|where')), columnName, comparison), ([, column, condition]) => about(column, condition)),
    map(inOrder(said('with empty|with no|without|with missing|that have no|with blank|have no|has no'), columnName), ([, column]) => ({ column, missing: true })),
    map(inOrder(said('without empty|without missing|with'), columnName, said('only')), ([, column]) => ({ not: { column, missing: true as const } })),
    map(inOrder(said('without empty|without missing|without blank'), columnName), ([, column]) => ({ not: { column, missing: true as const } })),
  ),
);

/** Comparisons joined by "and" and "or" ("and" binds closer); "but not" and the like leave out what they say. */
const rowConditions: Rule<RowCondition> = rule(() =>
  map(inOrder(anyRow, several(map(inOrder(said('but not|, but not|except|, except|excluding|except for|other than|and not|unless'), rowException), ([, one]) => one))), ([condition, left]) =>
    left.length === 0 ? condition : every([condition, ...left.map((one) => ({ not: one }))]),
  ),
);
const anyRow: Rule<RowCondition> = rule(() => map(listOf(everyRow, 'or|, or'), any));
const everyRow: Rule<RowCondition> = rule(() => map(listOf(row, 'and|, and|,|and also|but|, but'), every));

/** "not Acme GmbH": a value in any column; or a whole comparison. */
const rowException: Rule<RowCondition> = rule(() =>
  oneOf<RowCondition>(
    row,
    map(listOf(value, 'or|nor|,|and'), (values) => any(values.map((equals) => ({ equals })))),
  ),
);

const WHERE = said('where|with|whose|for which|having|if|when|that have|which have|only where|only with|for rows where|in which|, where');
const FOR = said('for|of|in');

type Part = Partial<Pick<TableQuery, 'files' | 'where' | 'group' | 'order' | 'limit'>>;

/** What may stand anywhere after the figures. */
const part: Rule<Part> = rule(() =>
  oneOf<Part>(
    map(inOrder(said('in|of|from|inside|for'), maybe(said('table|file|spreadsheet|data in|rows of')), listOf(file)), ([, , files]) => ({ files: [...files].sort() })),
    map(inOrder(maybe(WHERE), rowConditions), ([asked, where]) => (asked === undefined && !('period' in where) ? undefined : { where })),
    map(inOrder(WHERE, rowConditions), ([, where]) => ({ where })),
    map(inOrder(said('by|per|for each|grouped by|for every|in each|group by'), columnName), ([, group]) => ({ group })),
    map(inOrder(said('sorted by|ordered by|sort by|order by'), columnName, DIRECTION), ([, column, descending]) => ({ order: { column, ...(descending ? { descending } : {}) } })),
    map(inOrder(FOR, value), ([, equals]) => ({ where: { equals } })),
    map(inOrder(maybe(said('for')), period), ([, when]) => ({ where: { period: when } })),
  ),
);
const DIRECTION: Rule<true | undefined> = oneOf<true | undefined>(
  map(said('descending|newest first|largest first|highest first|latest first|in descending order|, newest first|, largest first|, descending|desc|from highest to lowest|, highest first|backwards|reversed'), () => true as const),
  maybe(map(said('ascending|in ascending order|oldest first|, ascending|smallest first|asc|lowest first'), () => undefined)),
);

export const tableQuery: Rule<Query> = rule(() =>
  oneOf<Query>(
    map(inOrder(said('in'), file, said(','), ASK, figures, several(part)), ([, path, , , list, rest]) => query([{ files: [path] }, ...rest], { figures: list })),
    map(inOrder(ASK, several(part), figures, several(part, 1), maybe(said('have|has|are there|is there|contain'))), ([, first, list, rest]) => query([...first, ...rest], { figures: list })),
    map(inOrder(said('how many'), said('rows|records|entries'), said('does|do|has|have|are in|are there in'), file, maybe(said('have|contain'))), ([, , , path]) => query([{ files: [path] }], { figures: [{ figure: 'rows' }] })),
    map(inOrder(maybe(said('show|list|find|get|give me|display|print|which|what|select|only|keep|keep only|are|what are')), said('rows|records|entries|lines of data'), several(part, 1)), ([, , parts]) => query(parts, {})),
    map(inOrder(said('show|list|display|select|get|print'), listOf(columnName), several(part, 1)), ([, columns, parts]) => query(parts, { columns })),
    map(inOrder(maybe(said('show|list|what are|get|give me')), said('unique|distinct|different'), columnName, several(part, 1)), ([, , column, parts]) => query(parts, { columns: [column], distinct: true })),
    map(inOrder(maybe(said('show|get|print')), said('first|top|last'), maybe(count), said('rows|records|row'), several(part, 1)), ([, which, limit, , parts]) =>
      which === 'last' ? undefined : query(parts, { limit: limit ?? 1 }),
    ),
    map(inOrder(ASK, said('most common|most frequent'), columnName, several(part, 1)), ([, , group, parts]) => query(parts, { group, figures: [{ figure: 'rows' }], order: { column: 'rows', descending: true }, limit: 1 })),
    map(inOrder(said('how many'), said('rows|records|entries'), several(part, 1), said('have|has'), oneOf(rowConditions, plainPair)), ([, , parts, , where]) => query([...parts, { where }], { figures: [{ figure: 'rows' }] })),
    map(inOrder(said('summarise|summarize|describe|profile|give me statistics of|statistics of'), dataFile, maybe(inOrder(said('by|per'), columnName))), ([, path, found]) => query([{ files: [path] }], { figures: [{ figure: 'rows' }, { figure: 'sum' }, { figure: 'average' }], ...(found === undefined ? {} : { group: found[1] }) })),
    map(inOrder(said('show|list|print|give me|keep|get|only|select'), maybe(said('rows|only rows|records')), maybe(dataFile), several(part, 1)), ([, , path, parts]) => (parts.some(({ where }) => where !== undefined) ? query(path === undefined ? parts : [{ files: [path] }, ...parts], {}) : undefined)),
    map(inOrder(said('which|what'), columnName, several(part, 1)), ([, , parts]) => (parts.some(({ where }) => where !== undefined) ? query(parts, {}) : undefined)),
    map(inOrder(maybe(said('find|show|list')), said('duplicate|repeated'), columnName, several(part, 1)), ([, , column, parts]) => query(parts, { group: column, figures: [{ figure: 'rows' }], order: { column: 'rows', descending: true } })),
    map(inOrder(said('show|print|display|list'), dataFile, maybe(said('as table|as a table|nicely'))), ([, path]) => query([{ files: [path] }], {})),
    map(inOrder(said('sort|order'), file, said('by'), columnName, DIRECTION), ([, path, , column, descending]) => query([{ files: [path] }], { order: { column, ...(descending ? { descending } : {}) } })),
    map(inOrder(maybe(said('show|list|get|give me|what are|who are')), said('top'), maybe(count), columnName, said('by'), columnName, several(part, 1)), ([, , limit, group, , column, parts]) =>
      query(parts, { group, figures: [{ figure: 'sum', column }], order: { column, descending: true }, limit: limit ?? 1 }),
    ),
    map(inOrder(said('which|what|who'), maybe(columnName), said('has|have|had'), maybe(figureWord), columnName, several(part, 1)), ([, group, , figure, column, parts]) =>
      figure === undefined || !['largest', 'smallest'].includes(figure) ? undefined : query(parts, { ...(group === undefined ? {} : { columns: [group, column] }), order: { column, ...(figure === 'largest' ? { descending: true } : {}) }, limit: 1 }),
    ),
  ),
);

/** "kind open": a column and its value without a word between. */
const plainPair: Rule<RowCondition> = map(inOrder(columnWord, value), ([column, equals]) => ({ column, equals }));
const dataFile = map(file, (path) => (/\.(?:csv|tsv|jsonl?|ndjson|md|xlsx?)$/.test(path) ? path : undefined));

export const tableAction: Rule<Action> = rule(() =>
  oneOf<Action>(
    map(inOrder(said('remove|delete|drop'), said('duplicate rows|duplicated rows|repeated rows|rows that occur twice'), said('from|in|of'), file, maybe(inOrder(said('into|to'), file))), ([, , , path, found]) => ({ rows: { files: [path], distinct: true }, change: 'keep', to: found?.[1] ?? path })),
    map(inOrder(said('remove|delete|drop'), said('rows|records|all rows'), several(part, 1), maybe(inOrder(said('into|to'), file))), ([, , parts, found]) => changeOf(query(parts, {}), 'remove', found?.[1])),
    map(inOrder(said('keep|keep only'), said('rows|records|only rows'), several(part, 1), maybe(inOrder(said('into|to'), file))), ([, , parts, found]) => changeOf(query(parts, {}), 'keep', found?.[1])),
    map(inOrder(said('append|add'), said('rows of|rows from|contents of|data of'), file, said('to'), file), ([, , from, , to]) => ({ rows: { files: [from] }, change: 'append', to })),
    map(inOrder(said('join|merge|combine'), file, maybe(said('and|with')), file, said('on|by|using'), columnName, said('into|to|as'), file), ([, a, , b, , on, , to]) => ({ join: [a, b] as const, on, to })),
  ),
);

/** A change of the rows that a query means. Without a condition or an order it would change nothing, or everything. */
function changeOf(found: Query | undefined, change: 'keep' | 'remove', to: string | undefined): Action | undefined {
  if (found === undefined || !('table' in found) || found.table.where === undefined) return undefined;
  const [file] = found.table.files;
  if (file === undefined || found.table.files.length > 1) return undefined;
  return { rows: found.table, change, to: to ?? file };
}

/** One query of its parts; undefined if two parts say the same thing, or no table is named. */
function query(parts: readonly Part[], about: Partial<TableQuery>): Query | undefined {
  const files = parts.flatMap((one) => one.files ?? []);
  const wheres = parts.flatMap((one) => (one.where === undefined ? [] : [one.where]));
  const groups = parts.flatMap((one) => (one.group === undefined ? [] : [one.group]));
  const orders = parts.flatMap((one) => (one.order === undefined ? [] : [one.order]));
  if (files.length === 0 || groups.length > 1 || orders.length > 1) return undefined;
  return {
    table: {
      files: [...new Set(files)],
      ...(wheres.length === 0 ? {} : { where: every(wheres) }),
      ...(groups[0] === undefined ? {} : { group: groups[0] }),
      ...(orders[0] === undefined ? {} : { order: orders[0] }),
      ...about,
    },
  };
}

function every(list: readonly RowCondition[]): RowCondition {
  return joined('all', list);
}

function any(list: readonly RowCondition[]): RowCondition {
  return joined('any', list);
}

function joined(how: 'all' | 'any', list: readonly RowCondition[]): RowCondition {
  const flat = list.flatMap((one) => (how in one ? (one as unknown as Record<string, readonly RowCondition[]>)[how] ?? [] : [one]));
  const sorted = [...new Map(flat.map((one) => [JSON.stringify(one), one]))].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  if (sorted.length === 1) return sorted[0] as RowCondition;
  return how === 'all' ? { all: sorted } : { any: sorted };
}
