import { diffLines } from 'diff';

const show = (value: unknown): string => `${JSON.stringify(value, undefined, 2) ?? 'nothing'}\n`;
const SIGNS = { added: '+', removed: '-', same: ' ' } as const;

/** Two JSON values as one list of lines: removed lines are only in the first, added ones only in the second. */
export function diffValues(before: unknown, after: unknown): string {
  return diffLines(show(before), show(after))
    .flatMap(({ value, added, removed }) => {
      const sign = SIGNS[added ? 'added' : removed ? 'removed' : 'same'];
      return value
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `${sign} ${line}`);
    })
    .join('\n');
}
