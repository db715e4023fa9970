// Owns: which lines of a policy are rule rows. I1 Text that looks like a rule but is not read as one is a problem, so that no
// rule is lost by a blank line, a wrong heading or an unclosed fence.
import { Lexer, type Token, type Tokens } from 'marked';
import { foldText } from '../kernel/index.ts';
import { DECISIONS, type PolicyProblem } from './types.ts';

/** A row of a rule table, with the kinds of inline Markdown in its first two cells. */
export interface TableRow {
  readonly line: number;
  readonly text: string;
  readonly cells: readonly { readonly text: string; readonly kinds: readonly string[] }[];
}

interface FoundTables {
  readonly tables: number;
  readonly rows: readonly TableRow[];
  readonly problems: readonly PolicyProblem[];
}

const HEADING = ['match', 'decision', 'why'];
const SIMILAR_HEADING: ReadonlySet<string> = new Set(['match', 'matches', 'decision', 'decisions']);
const DECISION_WORDS: ReadonlySet<string> = new Set(DECISIONS);
/** Quote and list markers before a line. */
const MARKERS = /^[\s>]*([-*+]|\d{1,9}[.)])?[\s>]*/;

/** Finds the rule tables of a Markdown text. */
export function findTables(source: string): FoundTables {
  const text = `${source.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')}\n`;
  const found = { tables: 0, rows: [] as TableRow[], problems: [] as PolicyProblem[] };
  // Handled text is blanked; the rest is searched for lost rules.
  const rest: string[] = [];
  let place = 0;
  let line = 1;
  const pass = (end: number, isHandled: boolean): void => {
    const part = text.slice(place, end);
    const breaks = part.replaceAll(/[^\n]+/g, '');
    rest.push(isHandled ? breaks : part);
    line += breaks.length;
    place = end;
  };
  for (const token of new Lexer({ gfm: true }).lex(text)) {
    const start = text.indexOf(token.raw, place);
    if (start < 0 || text.slice(place, start).trim() !== '') {
      const message = 'unsupported Markdown; expected headings, paragraphs and tables';
      found.problems.push({ line, column: 1, message });
      break;
    }
    pass(start, true);
    const judged = judge(token, line);
    if (judged.problem) found.problems.push(judged.problem);
    if (judged.rows) {
      found.tables += 1;
      found.rows.push(...judged.rows);
    }
    pass(start + judged.handled, true);
    pass(start + token.raw.length, false);
  }
  found.problems.push(...findLostRules(rest.join('')));
  return found;
}

interface Judged {
  /** How many characters of the token are handled. */
  readonly handled: number;
  readonly rows?: readonly TableRow[];
  readonly problem?: PolicyProblem;
}

function judge(token: Token, line: number): Judged {
  const { raw } = token;
  if (token.type === 'table') return judgeTable(token as Tokens.Table, line);
  if (token.type === 'code' && isFence(raw)) {
    if (isClosedFence(raw)) return { handled: raw.length };
    const message =
      'code that is never closed hides the rest of the file; expected a closing line of the same fence';
    return { handled: raw.length, problem: { line, column: 1, message } };
  }
  if (token.type === 'html' && raw.trimStart().startsWith('<!--')) {
    const end = raw.indexOf('-->');
    if (end >= 0) return { handled: end + '-->'.length };
    const message = 'a comment that is never closed hides the rest of the file; expected -->';
    return { handled: raw.length, problem: { line, column: 1, message } };
  }
  return { handled: 0 };
}

function judgeTable(table: Tokens.Table, line: number): Judged {
  const { raw } = table;
  const lines = raw.split('\n');
  const heading = table.header.map(({ text }) => text);
  if (heading.map((name) => name.toLowerCase()).join('|') === HEADING.join('|')) {
    const rows = table.rows.map((row, i) => ({
      line: line + 2 + i,
      text: lines[2 + i] ?? '',
      cells: row.map(({ text, tokens }) => ({ text, kinds: tokens.map(kindOf) })),
    }));
    return { handled: raw.length, rows };
  }
  const looksLikeRules =
    heading.some((name) => SIMILAR_HEADING.has(plain(name))) ||
    table.rows.some((row) => row.some(({ text }) => DECISION_WORDS.has(plain(text))));
  if (!looksLikeRules) return { handled: raw.length };
  const message = `a table with the columns ${heading.map((name) => `"${name}"`).join(', ')} looks like rules; expected the columns match, decision and why, in this order (an example goes into a fence)`;
  return { handled: raw.length, problem: { line, column: 1, message } };
}

/** Lines outside tables that look like rules. */
function findLostRules(rest: string): PolicyProblem[] {
  return rest.split('\n').flatMap((text, i) => {
    if (!text.includes('|')) return [];
    const [markers] = MARKERS.exec(text) as RegExpExecArray;
    const cells = readRow(text.slice(markers.length)).map((cell) => plain(cell.text));
    const barred = text[markers.length] === '|';
    const isRow = barred
      ? cells.some((cell) => DECISION_WORDS.has(cell))
      : cells.length === HEADING.length && DECISION_WORDS.has(cells[1] as string);
    const isHeading = cells.includes('match') && cells.includes('decision');
    if (!isRow && !isHeading) return [];
    const message = isHeading
      ? 'the heading of a table of rules without a table; expected a line |---|---|---| under it, at the left margin'
      : 'a row of rules outside a table of rules; expected it right below the others (a blank line ends a table; an example goes into a fence)';
    return [{ line: i + 1, column: markers.length + 1, message }];
  });
}

function plain(text: string): string {
  return foldText(text.replaceAll(/[`*_~]/g, ''));
}

/** A bare address, which Markdown links automatically, counts as text. */
function kindOf(token: Token): string {
  return token.type === 'link' && token.raw === (token as Tokens.Link).text ? 'text' : token.type;
}

function isFence(raw: string): boolean {
  return /^ {0,3}(`{3}|~{3})/.test(raw);
}

function isClosedFence(raw: string): boolean {
  const lines = raw.trimEnd().split('\n');
  const opening = /^ {0,3}(`+|~+)/.exec(lines[0] as string)?.[1] as string;
  const closing = lines.length > 1 ? (lines.at(-1) as string).trim() : '';
  return closing.length >= opening.length && closing === (opening[0] as string).repeat(closing.length);
}

/** The text of a cell, with the column of each character. */
export interface Cell {
  readonly text: string;
  readonly columns: readonly number[];
  /** Where the cell begins, even if it is empty. */
  readonly column: number;
}

/** Splits a table row into cells as GitHub's Markdown does: `\|` is a bar inside a cell. */
export function readRow(line: string): readonly Cell[] {
  const bars = findBars(line);
  const cells = [-1, ...bars].map((bar, i) => readCell(line, bar + 1, bars[i] ?? line.length));
  if (cells[0]?.text === '') cells.shift();
  if (cells.length > 0 && cells.at(-1)?.text === '') cells.pop();
  return cells;
}

function findBars(line: string): number[] {
  const bars: number[] = [];
  let escaped = false;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === '|' && !escaped) bars.push(i);
    escaped = line[i] === '\\' && !escaped;
  }
  return bars;
}

function readCell(line: string, start: number, end: number): Cell {
  const whole = line.slice(start, end);
  const first = start + (whole.length - whole.trimStart().length);
  const last = start + whole.trimEnd().length;
  let text = '';
  const columns: number[] = [];
  for (let i = first; i < last; i++) {
    if (line[i] === '\\' && line[i + 1] === '|') continue;
    text += line[i];
    columns.push(i + 1);
  }
  return { text, columns, column: (text === '' ? start : first) + 1 };
}
