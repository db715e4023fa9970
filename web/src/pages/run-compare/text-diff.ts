import { createTwoFilesPatch } from 'diff';

/** Two long texts that have nothing in common take this long at most; then there is no diff. */
const MAX_MS = 1_000;

/** A unified diff; empty if both are equal, undefined if it would take too long. */
export function textDiff(left: string, right: string): string | undefined {
  if (left === right) return '';
  // A missing line end at the end of one text is no difference that a person looks for.
  return createTwoFilesPatch('A', 'B', `${left}\n`, `${right}\n`, undefined, undefined, {
    context: 3,
    timeout: MAX_MS,
  });
}

/** A value as text: texts as they are, others as JSON with one member per line. */
export function valueText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
