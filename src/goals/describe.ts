// Owns: a meaning in plain words: one sentence with resolved dates, which reads as the same meaning again.
import { kindWords } from './kinds.ts';
import type { Action, Figure, FileCondition, Goal, Query, RowCondition, Selection, TableQuery, TextPattern } from './meaning.ts';
import { intervalOf, type Period } from './periods.ts';

/** When it is, so that "last week" can be said in dates; without it periods stay as people say them. */
export interface Moment {
  readonly now: number;
}

export function describeGoal(goal: Goal, at: Moment): string {
  if ('steps' in goal) return goal.steps.map((step) => describeGoal(step, at)).join(', then ');
  if ('answer' in goal) return `${queryText(goal.answer, at)}${goal.write === undefined ? '' : ` into ${name(goal.write)}`}`;
  if ('change' in goal) return actionText(goal.change, at);
  if ('remember' in goal) return `remember that ${goal.remember}`;
  if ('recall' in goal) return `recall what is known about ${goal.recall}`;
  if ('forget' in goal) return `forget that ${goal.forget}`;
  if ('remind' in goal) return `remind you ${goal.remind}`;
  if ('cancel' in goal) return `cancel the reminder about ${goal.cancel}`;
  if ('reminders' in goal) return 'list the reminders';
  if ('time' in goal) return goal.time === 'now' ? 'tell the time' : goal.time;
  return 'tests' in goal ? 'run the tests' : 'list what Oka can do';
}

function queryText(query: Query, at: Moment): string {
  if ('list' in query) return `list ${selectionText(query.list, at)}`;
  if ('count' in query) return `count ${selectionText(query.count, at)}${query.by === undefined ? '' : ` by ${query.by}`}`;
  if ('size' in query) return `measure the size of ${selectionText(query.size, at)}${query.by === undefined ? '' : ` by ${query.by}`}`;
  if ('measure' in query) return `count the ${query.measure} of ${selectionText(query.of, at)}${query.by === undefined ? '' : ` by ${query.by}`}`;
  if ('find' in query) {
    const how = query.answer === 'number' ? 'count' : query.answer === 'files' ? 'list the files that contain' : 'find';
    return `${how} ${patternText(query.find)} in ${selectionText(query.in, at)}`;
  }
  if ('same' in query) return `find files with the same content among ${selectionText(query.same, at)}`;
  if ('difference' in query) return `compare ${name(query.difference[0])} with ${name(query.difference[1])}`;
  if ('read' in query) {
    const { first, last } = query.part ?? {};
    const part = first !== undefined ? `the first ${lines(first)} of ` : last !== undefined ? `the last ${lines(last)} of ` : '';
    return `read ${part}${name(query.read)}`;
  }
  if ('check' in query) return `check whether ${name(query.check)} is valid`;
  if ('value' in query) return `show ${name(query.value)} in ${name(query.of)}`;
  if ('changed' in query) return `list what changed in ${selectionText(query.changed, at)}${periodText(query.since, at)}`;
  if ('lines' in query) return `show the lines of ${name(query.lines)} that ${query.that}`;
  if ('brief' in query) return `describe ${selectionText(query.brief, at)}`;
  if ('table' in query) return tableText(query.table, at);
  const { ask, places = [], period, author, limit } = query.git;
  return [
    `show the git ${ask}`,
    limit === undefined ? '' : ` (${limit})`,
    author === undefined ? '' : ` of ${author}`,
    period === undefined ? '' : periodText(period, at),
    placesText(places),
  ].join('');
}

function actionText(action: Action, at: Moment): string {
  if ('delete' in action) return `delete ${selectionText(action.delete, at)}`;
  if ('move' in action) return `move ${selectionText(action.move, at)} to ${name(action.to)}`;
  if ('copy' in action) return `copy ${selectionText(action.copy, at)} to ${name(action.to)}`;
  if ('rename' in action) return `rename ${selectionText(action.rename, at)}: ${ruleText(action.rule)}`;
  if ('organise' in action) return `sort ${selectionText(action.organise, at)} into folders by ${action.by}`;
  if ('pack' in action) return `pack ${selectionText(action.pack, at)} into ${name(action.to)}`;
  if ('unpack' in action) return `unpack ${name(action.unpack)}${action.to === undefined ? '' : ` into ${name(action.to)}`}`;
  if ('replace' in action) return `replace "${action.replace}" with "${action.with}" in ${selectionText(action.in, at)}`;
  if ('append' in action) return `append "${action.append}" to ${name(action.to)}`;
  if ('write' in action) return `write "${action.write}" into ${name(action.to)}`;
  if ('folders' in action) return `create the ${action.folders.length === 1 ? 'folder' : 'folders'} ${action.folders.map(name).join(', ')}`;
  if ('format' in action) return `format ${name(action.format)}`;
  if ('convert' in action) return `convert ${name(action.convert)} to ${name(action.to)}`;
  if ('merge' in action) return `merge ${selectionText(action.merge, at)} into ${name(action.to)}`;
  if ('deduplicate' in action) return `delete all but one of files with the same content among ${selectionText(action.deduplicate, at)}`;
  if ('join' in action) return `join ${name(action.join[0])} and ${name(action.join[1])} on ${name(action.on)} into ${name(action.to)}`;
  if ('rows' in action) {
    const { change, rows, to } = action;
    if (change === 'append') return `append the rows of ${rows.files.map(name).join(', ')} to ${name(to ?? '')}`;
    return `${change} the ${rowsText(rows, at)}${to === undefined ? '' : ` into ${name(to)}`}`;
  }
  return action.git === 'commit' ? `commit everything with the message "${action.message ?? ''}"` : `git ${action.git}`;
}

function ruleText(rule: Extract<Action, { readonly rename: Selection }>['rule']): string {
  if ('to' in rule) return `to ${name(rule.to)}`;
  if ('prefix' in rule) return `"${rule.prefix}" before each name`;
  if ('suffix' in rule) return `"${rule.suffix}" after each name`;
  if ('extension' in rule) return `the extension becomes .${rule.extension}`;
  if ('case' in rule) return rule.case === 'lower' ? 'to small letters' : 'to capital letters';
  if ('replace' in rule) return `"${rule.replace}" becomes "${rule.with}" in each name`;
  return 'numbered';
}

/** "the 5 newest photos in docs larger than 5 MB, but not those called x". */
export function selectionText(selection: Selection, at: Moment): string {
  const { what, places = [], shallow, where, order, limit, itself } = selection;
  if (itself) return `the folder ${places.map(name).join(', ')}`;
  const conditions = where === undefined ? [] : 'all' in where ? where.all : [where];
  const [kinds, others] = [conditions.filter(isKind), conditions.filter((one) => !isKind(one))];
  const noun = kinds.length > 0 ? kinds.map(kindText).join(' and also ') : what === 'entries' ? 'files and folders' : what;
  const isPlainPlace = conditions.length === 0 && places.length > 0 && order === undefined && what === 'files' && places.every(isFilePath);
  if (isPlainPlace) return places.map(name).join(', ');
  return [
    order === undefined ? (limit === undefined ? '' : `the first ${limit} `) : `the ${limit ?? ''} ${ORDER_WORDS[`${order.by} ${order.descending ? 'down' : 'up'}`] ?? ''} `.replaceAll(/\s+/g, ' '),
    noun,
    shallow ? ' directly' : '',
    placesText(places),
    ...others.map((one) => ` ${conditionText(one, at)}`),
  ].join('');
}

const ORDER_WORDS: Readonly<Record<string, string>> = {
  'size down': 'largest',
  'size up': 'smallest',
  'changed down': 'newest',
  'changed up': 'oldest',
  'lines down': 'longest',
  'lines up': 'shortest',
  'name up': 'first by name',
};

function isKind(condition: FileCondition): boolean {
  if ('any' in condition) return condition.any.every(isKind);
  return 'kind' in condition || 'extension' in condition;
}

function kindText(condition: FileCondition): string {
  if ('any' in condition) return condition.any.map(kindText).join(' or ');
  if ('kind' in condition) return kindWords(condition.kind);
  return 'extension' in condition ? `.${condition.extension} files` : '';
}

function conditionText(condition: FileCondition, at: Moment): string {
  if ('all' in condition) return condition.all.map((one) => conditionText(one, at)).join(' and ');
  if ('any' in condition) return condition.any.map((one) => conditionText(one, at)).join(' or ');
  if ('not' in condition) return `except those ${conditionText(condition.not, at)}`;
  if ('kind' in condition || 'extension' in condition) return `that are ${kindText(condition)}`;
  if ('name' in condition) return `${NAME_WORDS[condition.name]} "${condition.text}"`;
  if ('larger' in condition) return `larger than ${bytes(condition.larger)}`;
  if ('smaller' in condition) return `smaller than ${bytes(condition.smaller)}`;
  if ('empty' in condition) return 'that are empty';
  if ('changed' in condition) return `last changed${periodText(condition.changed, at)}`;
  if ('contains' in condition) return `that contain "${condition.contains}"`;
  if ('in' in condition) return `in ${name(condition.in)}`;
  return 'with the same content as another';
}

const NAME_WORDS = {
  is: 'called',
  starts: 'with names that start with',
  ends: 'with names that end with',
  contains: 'with names that contain',
  fits: 'matching',
} as const;

function patternText(pattern: TextPattern): string {
  if ('text' in pattern) return `"${pattern.text}"`;
  return 'expression' in pattern ? `/${pattern.expression}/` : KNOWN_WORDS[pattern.known];
}

const KNOWN_WORDS = {
  todo: 'TODOs',
  email: 'e-mail addresses',
  url: 'links',
  date: 'dates',
  phone: 'phone numbers',
  number: 'numbers',
  heading: 'headings',
  error: 'errors',
  broken_link: 'broken links',
} as const;

function tableText(table: TableQuery, at: Moment): string {
  const { figures = [], columns = [], distinct } = table;
  const what =
    figures.length > 0
      ? figures.map(figureText).join(' and ')
      : columns.length > 0
        ? `${distinct ? 'the different values of ' : ''}${columns.map(name).join(', ')}`
        : 'all columns';
  return `show ${what} of the ${rowsText(table, at)}`;
}

function rowsText({ files, where, group, order, limit }: TableQuery, at: Moment): string {
  return [
    limit === undefined ? 'rows' : `first ${limit} rows`,
    ` of ${files.map(name).join(', ')}`,
    where === undefined ? '' : ` where ${rowText(where, at)}`,
    group === undefined ? '' : ` for each ${name(group)}`,
    order === undefined ? '' : ` sorted by ${name(order.column)}${order.descending ? ', largest first' : ''}`,
  ].join('');
}

function figureText({ figure, column }: Figure): string {
  if (figure === 'rows') return 'the number';
  return `the ${figure === 'different' ? 'number of different values' : figure === 'missing' ? 'number of missing values' : figure} of ${column === undefined ? 'the numbers' : name(column)}`;
}

function rowText(condition: RowCondition, at: Moment): string {
  if ('all' in condition) return condition.all.map((one) => rowText(one, at)).join(' and ');
  if ('any' in condition) return `(${condition.any.map((one) => rowText(one, at)).join(' or ')})`;
  if ('not' in condition) return `not (${rowText(condition.not, at)})`;
  const column = condition.column === undefined ? 'any column' : name(condition.column);
  if ('equals' in condition) return `${column} is ${JSON.stringify(condition.equals)}`;
  if ('contains' in condition) return `${column} contains "${condition.contains}"`;
  if ('starts' in condition) return `${column} starts with "${condition.starts}"`;
  if ('ends' in condition) return `${column} ends with "${condition.ends}"`;
  if ('above' in condition) return `${column} is above ${condition.above}`;
  if ('below' in condition) return `${column} is below ${condition.below}`;
  if ('missing' in condition) return `${column} is missing`;
  return `${condition.column === undefined ? 'its date' : column} is${periodText(condition.period, at)}`;
}

/** A period in dates: " from 1 November 2026 to 30 November 2026". */
function periodText(period: Period, { now }: Moment): string {
  const { from, until } = intervalOf(period, now);
  if (from !== undefined && until !== undefined) {
    const last = dateText(until - 1);
    return dateText(from) === last ? ` on ${last}` : ` from ${dateText(from)} to ${last}`;
  }
  if (from !== undefined) return ` since ${timeText(from)}`;
  return until === undefined ? '' : ` before ${timeText(until)}`;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function dateText(time: number): string {
  const date = new Date(time);
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`;
}

/** A date, with its time unless that is midnight. */
function timeText(time: number): string {
  const date = new Date(time);
  const [hours, minutes] = [date.getHours(), date.getMinutes()];
  if (hours === 0 && minutes === 0) return dateText(time);
  return `${dateText(time)}, ${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

function placesText(places: readonly string[]): string {
  return places.length === 0 ? '' : ` in ${places.map(name).join(' and ')}`;
}

function isFilePath(path: string): boolean {
  return /\.[^./]+$/.test(path);
}

function name(text: string): string {
  return /^[\p{L}\p{N}_./@*-]+$/u.test(text) ? text : `"${text}"`;
}

function lines(count: number): string {
  return count === 1 ? 'line' : `${count} lines`;
}

function bytes(count: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [count, 0];
  while (value >= 1_000 && value % 100 === 0 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${value} ${units[unit]}`;
}
