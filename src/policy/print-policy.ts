import type { PolicyCondition, PolicyMatch, PolicyRow } from './types.ts';

/** Words of the match language, which a value of the same letters is told from by quotes. */
const KEYWORDS: ReadonlySet<string> = new Set(['and', 'not', 'is', 'in']);

const WILDCARD = /[*?]/;

/** Characters that a value may have without quotes. */
export const PLAIN_VALUE = /^[\p{L}\p{M}\p{N}_.*?/:@%+=~^$#!\-[\]{}]+$/u;

/** A match in the one way of writing it. */
export function printMatch({ tool, conditions }: PolicyMatch): string {
  return [tool, ...conditions.map(printCondition)].join(' and ');
}

/** Rows as a table that reads back as the same rows. */
export function printPolicy(rows: readonly Pick<PolicyRow, 'match' | 'decision' | 'why'>[]): string {
  const lines = rows.map(
    ({ match, decision, why }) => `| \`${inCell(printMatch(match))}\` | ${decision} | ${inCell(why)} |`,
  );
  return `${['| match | decision | why |', '|---|---|---|', ...lines].join('\n')}\n`;
}

function printCondition(condition: PolicyCondition): string {
  switch (condition.about) {
    case 'path': {
      const { glob, negated } = condition;
      if (WILDCARD.test(glob)) return `path ${negated ? 'not in' : 'in'} ${quote(glob)}`;
      return `path ${printIs(negated)} ${printValue(glob)}`;
    }
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

/** In quotes where it must be. */
function quote(value: string): string {
  return PLAIN_VALUE.test(value) && !KEYWORDS.has(value) ? value : `"${value}"`;
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
