import { expect, test } from 'vitest';
import { alignSteps, isDifference, type Step } from './align-steps.ts';

const step = (tool: string, input: unknown = {}, output: unknown = 'ok'): Step => ({
  ...{ step: 0, at: 0, state: 'act', decision: 'call_tool', rationale: '', verdicts: [] },
  ...{ tool, input, output, outcome: 'ok' },
});
const shape = (left: readonly Step[], right: readonly Step[]): string =>
  alignSteps(left, right)
    .map(({ kind }) => kind)
    .join(' ');

test('equal runs have only equal steps', () => {
  const steps = [step('a'), step('b', { x: 1 })];
  expect(alignSteps(steps, steps).some(isDifference)).toBe(false);
});

test('another input is a change, another tool is not', () => {
  expect(shape([step('read', 1)], [step('read', 2)])).toBe('changed');
  expect(shape([step('read')], [step('write')])).toBe('left right');
});

test('a step that only one run has does not shift the others', () => {
  const [a, b, c] = [step('a'), step('b'), step('c')];
  expect(shape([a, b, c], [a, c])).toBe('same left same');
  expect(shape([a, c], [a, b, c])).toBe('same right same');
});

test('equal decisions win over changed ones', () => {
  const left = [step('read', 1), step('read', 2)];
  expect(shape(left, [step('read', 2)])).toBe('left same');
  // Pairing the two writes would cost the equal read.
  expect(shape([step('read', 1), step('write', 1)], [step('write', 2), step('read', 1)])).toBe(
    'right same left',
  );
});

test('an equal call with another result is a difference', () => {
  const rows = alignSteps([step('time', {}, 1)], [step('time', {}, 2)]);
  expect(rows).toMatchObject([{ kind: 'same', sameResult: false }]);
  expect(rows.filter(isDifference)).toHaveLength(1);
});

test('a run without steps aligns with anything', () => {
  expect(shape([], [])).toBe('');
  expect(shape([], [step('a')])).toBe('right');
});

test('every step appears once and in order, also in runs too long for a table', () => {
  const left = Array.from({ length: 2_100 }, (_, i) => step(`l${i % 7}`, i));
  const right = Array.from({ length: 2_100 }, (_, i) => step(`l${i % 5}`, i));
  const rows = alignSteps(left, right);
  expect(rows.flatMap((row) => row.left ?? [])).toEqual(left);
  expect(rows.flatMap((row) => row.right ?? [])).toEqual(right);
});

test('every step appears once and in order for all small runs', () => {
  const runs = Array.from({ length: 27 }, (_, n) =>
    [n % 3, Math.floor(n / 3) % 3, Math.floor(n / 9)].map((k) => step('abc'[k] as string)),
  );
  for (const left of runs)
    for (const right of runs) {
      const rows = alignSteps(left, right);
      expect(rows.flatMap((row) => row.left ?? [])).toEqual(left);
      expect(rows.flatMap((row) => row.right ?? [])).toEqual(right);
    }
});
