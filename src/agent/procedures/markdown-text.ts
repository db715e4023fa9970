import { plainLine } from '../describe-text.ts';

/** A code span, also around text that holds backticks. */
export function code(text: string): string {
  const plain = plainLine(text, 200);
  return plain.includes('`') ? `\`\` ${plain} \`\`` : `\`${plain}\``;
}

/** An amount with its noun, in the plural if needed. */
export function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? '' : 's'}`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1_000) return count(bytes, 'byte');
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return bytes < 1_000_000_000
    ? `${(bytes / 1_000_000).toFixed(1)} MB`
    : `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** The line with the number of items that are not shown; none when all are. */
export function more(rest: number, what: string, atLeast = false): string[] {
  return rest > 0 ? [`- and ${atLeast ? 'at least ' : ''}${count(rest, `more ${what}`)}`] : [];
}

/** Items by key, in the order of their first occurrence. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** Text for a cell of a table. */
export function cell(text: string, maxLength = 60): string {
  return plainLine(text, maxLength).replace(/[\\|`*_<[\]]/g, (sign) => `\\${sign}`);
}
