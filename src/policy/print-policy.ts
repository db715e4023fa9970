import type { PolicyCondition, PolicyMatch, PolicyRow } from './types.ts';

/** Words of the match language; equal values are quoted. */
const KEYWORDS: ReadonlySet<string> = new Set(['and', 'not', 'is', 'in']);

const WILDCARD = /[*?]/;

/** Characters that need no quotes in a value. */
export const PLAIN_VALUE = /^[\p{L}\p{M}\p{N}_.*?/:@%+=~^$#!\-[\]{}]+$/u;

/** Prints a match in its canonical form. */
export function printMatch({ tool, conditions }: PolicyMatch): string {
  return [tool, ...conditions.map(printCondition)].join(' and ');
}

/** Prints rows as a table that parses back to the same rows. */
export function printPolicy(rows: readonly Pick<PolicyRow, 'match' | 'decision' | 'why'>[]): string {
  const lines = rows.map(
    ({ match, decision, why }) => `| \`${inCell(printMatch(match))}\` | ${decision} | ${inCell(why)} |`,
  );
  return `${['| match | decision | why |', '|---|---|---|', ...lines].join('\n')}\n`;
}

function printCondition(condition: PolicyCondition): string {
  switch (condition.about) {
    case 'path':
    case 'cwd': {
      const { about, glob, negated } = condition;
      if (WILDCARD.test(glob)) return `${about} ${negated ? 'not in' : 'in'} ${quote(glob)}`;
      return `${about} ${printIs(negated)} ${printValue(glob)}`;
    }
    case 'any':
      return `any ${condition.field.join('.') || 'input'}`;
    case 'timeout':
      return `timeout at most ${condition.atMost}`;
    case 'host': {
      const { pattern, negated } = condition;
      if (pattern.startsWith('*.')) return `host ${negated ? 'not in' : 'in'} ${pattern}`;
      return `host ${printIs(negated)} ${pattern}`;
    }
    case 'argv':
      return `argv starts with ${condition.words.map(printValue).join(' ')}`;
    case 'input':
      return `${printField(condition.field)} ${printIs(condition.negated)} ${printValue(condition.value)}`;
    case 'risk':
      return `risk at least ${condition.atLeast}`;
    default:
      return `${condition.about} ${printIs(condition.negated)} ${printValue(condition.value)}`;
  }
}

function printField(field: readonly (string | number)[]): string {
  const path = field.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('');
  return path === '.method' || path === '.argv[0]' ? path.slice(1) : `input${path}`;
}

function printIs(negated: boolean): string {
  return negated ? 'is not' : 'is';
}

function printValue(value: string): string {
  return WILDCARD.test(value) ? `"${value}"` : quote(value);
}

/** Adds quotes where needed. */
function quote(value: string): string {
  return PLAIN_VALUE.test(value) && !KEYWORDS.has(value) ? value : `"${value}"`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
