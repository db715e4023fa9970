// Owns: which steps of two runs belong together. The longest sequence of equal decisions is found first; between them, decisions
// that differ only in their input are paired.

import type { Answer } from '../../api/query.ts';

export type Step = Answer<'/v1/runs/{run}/explain'>['actions'][number];

/** `same`: same decision, tool and input. `changed`: another input. `left`, `right`: only that run has it. */
type RowKind = 'same' | 'changed' | 'left' | 'right';

export interface Row {
  readonly kind: RowKind;
  readonly left?: Step;
  readonly right?: Step;
  /** Both ended alike: same outcome, output and failure. */
  readonly sameResult: boolean;
}

export const isDifference = ({ kind, sameResult }: Row): boolean => kind !== 'same' || !sameResult;

type Match = 'same' | 'changed' | undefined;

/** Beyond this many pairs of steps, those between the common start and end are paired by their position. */
const MAX_PAIRS = 4_000_000;

export function alignSteps(left: readonly Step[], right: readonly Step[]): readonly Row[] {
  const lefts = left.map(toKeys);
  const rights = right.map(toKeys);
  const match = (i: number, j: number): Match => {
    const [one, other] = [lefts[i] as Keys, rights[j] as Keys];
    if (one.decision !== other.decision) return undefined;
    return one.input === other.input ? 'same' : 'changed';
  };
  let start = 0;
  while (start < left.length && start < right.length && match(start, start) === 'same') start++;
  let end = 0;
  while (
    end < Math.min(left.length, right.length) - start &&
    match(left.length - 1 - end, right.length - 1 - end) === 'same'
  )
    end++;
  const between = { from: start, leftTo: left.length - end, rightTo: right.length - end, match };
  const pairs = [
    ...Array.from({ length: start }, (_, i): Pair => [i, i]),
    ...pairBetween(between),
    ...Array.from({ length: end }, (_, i): Pair => [between.leftTo + i, between.rightTo + i]),
  ];
  return pairs.map(([i, j]) => toRow(left[i as number], right[j as number], kindOf(i, j, match)));
}

interface Keys {
  readonly decision: string;
  readonly input: string;
}

/** Stored values are canonical JSON, so equal values have equal texts. */
const toKeys = ({ decision, tool = '', input }: Step): Keys => ({
  decision: `${decision} ${tool}`,
  input: JSON.stringify(input) ?? '',
});

type Pair = readonly [left: number | undefined, right: number | undefined];

interface Between {
  readonly from: number;
  readonly leftTo: number;
  readonly rightTo: number;
  readonly match: (i: number, j: number) => Match;
}

function pairBetween(between: Between): readonly Pair[] {
  const { from, leftTo, rightTo } = between;
  return (leftTo - from) * (rightTo - from) > MAX_PAIRS ? byPosition(between) : byWeight(between);
}

/** One equal decision outweighs all changed ones, so that the longest common sequence is kept whole. */
function byWeight({ from, leftTo, rightTo, match }: Between): readonly Pair[] {
  const [rows, columns] = [leftTo - from, rightTo - from];
  const same = Math.min(rows, columns) + 1;
  const best = new Float64Array((rows + 1) * (columns + 1));
  const at = (i: number, j: number): number => best[i * (columns + 1) + j] as number;
  const worth = (i: number, j: number): number => {
    const found = match(from + i, from + j);
    return found === undefined ? 0 : found === 'same' ? same : 1;
  };
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--) {
      const value = worth(i, j);
      const paired = value === 0 ? 0 : value + at(i + 1, j + 1);
      best[i * (columns + 1) + j] = Math.max(paired, at(i + 1, j), at(i, j + 1));
    }
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  while (i < rows && j < columns) {
    const value = worth(i, j);
    if (value > 0 && at(i, j) === value + at(i + 1, j + 1)) pairs.push([from + i++, from + j++]);
    else if (at(i, j) === at(i + 1, j)) pairs.push([from + i++, undefined]);
    else pairs.push([undefined, from + j++]);
  }
  while (i < rows) pairs.push([from + i++, undefined]);
  while (j < columns) pairs.push([undefined, from + j++]);
  return pairs;
}

function byPosition({ from, leftTo, rightTo, match }: Between): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let i = from; i < Math.max(leftTo, rightTo); i++) {
    if (i < leftTo && i < rightTo && match(i, i) !== undefined) pairs.push([i, i]);
    else {
      if (i < leftTo) pairs.push([i, undefined]);
      if (i < rightTo) pairs.push([undefined, i]);
    }
  }
  return pairs;
}

function kindOf(
  left: number | undefined,
  right: number | undefined,
  match: (i: number, j: number) => Match,
): RowKind {
  if (left === undefined) return 'right';
  if (right === undefined) return 'left';
  return match(left, right) ?? 'changed';
}

function toRow(left: Step | undefined, right: Step | undefined, kind: RowKind): Row {
  const sameResult = left !== undefined && right !== undefined && resultOf(left) === resultOf(right);
  return { kind, sameResult, ...(left && { left }), ...(right && { right }) };
}

const resultOf = ({ outcome, output, failure }: Step): string =>
  JSON.stringify([outcome, output, failure?.code, failure?.message]);
