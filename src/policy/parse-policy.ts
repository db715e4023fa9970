import { OkaError } from '../kernel/index.ts';
import { type Cell, findTables, readRow, type TableRow } from './find-tables.ts';
import { parseMatch } from './parse-match.ts';
import { printMatch } from './print-policy.ts';
import { UnreadableMatch } from './tokenise-match.ts';
import {
  DECISIONS,
  type PolicyDecision,
  type PolicyErrorCode,
  type PolicyMatch,
  type PolicyProblem,
  type PolicyRow,
  type PolicySource,
} from './types.ts';

const MAX_ROWS = 5_000;
/** Characters that are invisible, or that look like a space but are not one. */
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;
/** The why column is text for people: only hidden and bidirectional characters are refused, not joined emoji. */
const INVISIBLE_IN_WHY = /[\p{Cc}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]|(?!\u200D)\p{Cf}/u;
const READABLE_KINDS: ReadonlySet<string> = new Set(['text', 'codespan']);

/** Returns the rows of a policy and all its problems. */
export function readPolicy(source: PolicySource): {
  readonly rows: readonly PolicyRow[];
  readonly problems: readonly PolicyProblem[];
} {
  const { tables, rows: found, problems: lost } = findTables(source.text);
  const problems = [...lost];
  const rows: PolicyRow[] = [];
  if (found.length > MAX_ROWS) {
    const line = (found[MAX_ROWS] as TableRow).line;
    problems.push({ line, column: 1, message: `more than ${MAX_ROWS} rows; expected fewer` });
  }
  for (const row of found.slice(0, MAX_ROWS)) {
    try {
      rows.push({ file: source.file, line: row.line, ...readRule(row) });
    } catch (error) {
      if (!(error instanceof UnreadableMatch)) throw error;
      problems.push({ line: row.line, column: error.column, message: error.message });
    }
  }
  problems.push(...findContradictions(rows));
  if (tables === 0 && problems.length === 0) {
    const message =
      'there is no table of rules; expected | match | decision | why | with a line |---|---|---| under it, and no rows if there are no rules';
    problems.push({ line: 1, column: 1, message });
  }
  problems.sort((a, b) => a.line - b.line || a.column - b.column);
  return { rows, problems };
}

/** Returns the rows of a policy. Fails with `policy.invalid`, which lists every problem. */
export function parsePolicy(source: PolicySource): readonly PolicyRow[] {
  const { rows, problems } = readPolicy(source);
  const [first, ...more] = problems;
  if (first === undefined) return rows;
  const others = more.length === 0 ? '' : ` There are ${more.length} more: oka policy check.`;
  throw new OkaError<PolicyErrorCode>(
    'policy.invalid',
    `${source.file} cannot be enforced, so nothing starts. Line ${first.line}, column ${first.column}: ${first.message}.${others}`,
    { data: { file: source.file, problems } },
  );
}

function readRule(row: TableRow): Pick<PolicyRow, 'match' | 'decision' | 'why'> {
  const cells = readRow(row.text);
  const [match, decision, why] = cells;
  if (match === undefined || decision === undefined || why === undefined || cells.length > 3) {
    const column = cells[3]?.column ?? row.text.length + 1;
    throw new UnreadableMatch(
      column,
      `a row of ${cells.length} cells; expected match, decision and why (write \\| for a bar inside a cell, and leave a blank line after a table)`,
    );
  }
  for (const cell of [match, decision]) refuseCharacters(cell, INVISIBLE);
  refuseCharacters(why, INVISIBLE_IN_WHY);
  if (cells.some(({ text }, i) => text !== row.cells[i]?.text))
    throw new UnreadableMatch(1, 'a row that Markdown reads otherwise; expected plain cells between bars');
  const read = { match: readMatch(match, row), decision: readDecision(decision), why: why.text };
  if (read.decision !== 'allow' && read.match.conditions.some(({ about }) => about === 'any'))
    throw new UnreadableMatch(
      match.column,
      `"any" in a row that says ${read.decision}; expected it only in an allow row, whose fields it widens`,
    );
  return read;
}

function refuseCharacters({ text, columns, column }: Cell, refused: RegExp): void {
  const found = refused.exec(text);
  if (found === null) return;
  const name = (text.codePointAt(found.index) as number).toString(16).toUpperCase().padStart(4, '0');
  throw new UnreadableMatch(
    columns[found.index] ?? column,
    `the character U+${name}, which cannot be seen; expected plain characters and spaces`,
  );
}

function readMatch(cell: Cell, row: TableRow): PolicyMatch {
  if (cell.text.replaceAll('`', '').trim() === '')
    throw new UnreadableMatch(cell.column, 'an empty match; expected a tool, or * for all of them');
  if (cell.text.normalize('NFC') !== cell.text)
    throw new UnreadableMatch(
      cell.column,
      'letters and accents apart from each other; expected the NFC form',
    );
  if (/&#?[A-Za-z0-9]+;/.test(cell.text))
    throw new UnreadableMatch(cell.column, 'an HTML entity; expected the character itself');
  const refused = row.cells[0]?.kinds.find((kind) => !READABLE_KINDS.has(kind));
  const match = parseMatch(cell);
  if (refused !== undefined)
    throw new UnreadableMatch(
      cell.column,
      `Markdown shows this match otherwise than it is written (${refused}); expected it in backticks`,
    );
  return match;
}

function readDecision({ text, column }: Cell): PolicyDecision {
  const word = text.replaceAll('`', '').trim().toLowerCase();
  const decision = DECISIONS.find((name) => name === word);
  if (decision !== undefined) return decision;
  const what = word === '' ? 'an empty decision' : `"${text}" is no decision`;
  throw new UnreadableMatch(column, `${what}; expected allow, ask or deny`);
}

/** Finds matches with two decisions in one file: the author of the second missed the first. */
function findContradictions(rows: readonly PolicyRow[]): PolicyProblem[] {
  const first = new Map<string, PolicyRow>();
  return rows.flatMap((row) => {
    const key = matchKey(row.match);
    const before = first.get(key);
    if (before === undefined) first.set(key, row);
    if (before === undefined || before.decision === row.decision) return [];
    const message = `${printMatch(row.match)} is decided twice: ${before.decision} in line ${before.line}, ${row.decision} here; expected one of them`;
    return [{ line: row.line, column: 1, message }];
  });
}

/** Equal for equivalent matches, regardless of condition order. */
export function matchKey({ tool, conditions }: PolicyMatch): string {
  const said = conditions.map((condition) => printMatch({ tool: '*', conditions: [condition] }));
  return [tool, ...new Set(said.sort())].join('\n');
}
