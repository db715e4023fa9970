// Owns: the figures of two runs and how far they are apart.

import type { Answer } from '../../api/query.ts';
import { formatCount, formatDuration, formatMoney, formatTokens } from '../../parts/format.ts';

export type Run = Answer<'/v1/runs/{run}'>['run'];

export interface Figure {
  readonly name: string;
  /** A dash if the run has no such figure. */
  readonly left: string;
  readonly right: string;
  /** From A to B, with a sign; empty if one of them is missing. */
  readonly difference: string;
}

const USED = [
  ['Cost', 'cost_usd', formatMoney],
  ['Tokens in', 'input_tokens', formatTokens],
  ['Tokens out', 'output_tokens', formatTokens],
  ['Steps', 'steps', formatCount],
  ['Tool calls', 'tool_calls', formatCount],
  ['Model calls', 'model_calls', formatCount],
  ['Retries', 'retries', formatCount],
  ['Child runs', 'children', formatCount],
] as const;

/** Figures that neither run has are left out. */
export function figuresOf(left: Run, right: Run): readonly Figure[] {
  const used = USED.flatMap(([name, budget, format]) => {
    const [one, other] = [left.budgets.used[budget], right.budgets.used[budget]];
    return one === undefined && other === undefined ? [] : [figure(name, one, other, format)];
  });
  return [figure('Duration', durationOf(left), durationOf(right), formatDuration), ...used];
}

const durationOf = ({ startedAt, endedAt }: Run): number | undefined =>
  endedAt === undefined ? undefined : endedAt - startedAt;

function figure(
  name: string,
  left: number | undefined,
  right: number | undefined,
  format: (value: number) => string,
): Figure {
  const show = (value: number | undefined): string => (value === undefined ? '–' : format(value));
  return { name, left: show(left), right: show(right), difference: differenceOf(left, right, format) };
}

function differenceOf(
  left: number | undefined,
  right: number | undefined,
  format: (value: number) => string,
): string {
  if (left === undefined || right === undefined) return '';
  if (left === right) return 'same';
  const sign = right > left ? '+' : '−';
  const share = left === 0 ? '' : ` (${sign}${Math.round((Math.abs(right - left) / left) * 100)} %)`;
  return `${sign}${format(Math.abs(right - left))}${share}`;
}
