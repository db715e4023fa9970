import { type Command, InvalidArgumentError } from 'commander';
import type { FiguresView, MetricsAnswer, ShareView } from '../../api/index.ts';
import { parseDuration } from '../../config/index.ts';
import { isDay } from '../context.ts';
import { showDuration, showTime, table } from '../format.ts';
import { answerWith, type Run } from '../run.ts';

const MAX_DAYS = 30;
/** Smaller samples are shown as counts, because a percentage would mislead. */
const MIN_SAMPLE = 10;

export function metricsCommand(program: Command, run: Run): void {
  program
    .command('metrics')
    .description('Show completion, rework, corrections, duration and cost of work, and how useful memory is')
    .option(
      '--since <when>',
      'Count work started since a day, such as 2026-01-31, or a duration, such as 7d, 12h or 2w',
      parseSince,
    )
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka metrics',
        '  oka metrics --since 7d',
        '  oka metrics --since 2026-01-01 --json',
        '',
        'Figures are computed from the ledger. Archived runs are not counted. Days are in UTC.',
      ].join('\n'),
    )
    .action((options: { since?: Since }) =>
      answerWith(run, (api) => api.metrics.figures(options.since ?? {}), showMetrics),
    );
}

type Since = { readonly since: number } | { readonly backMs: number };

function parseSince(text: string): Since {
  const backMs = parseDuration(text);
  if (backMs !== undefined) return { backMs };
  if (isDay(text)) return { since: Date.parse(text) };
  throw new InvalidArgumentError('Expected a day such as 2026-01-31, or a duration such as 7d, 12h or 2w');
}

function showMetrics({ since, whole, days, packStability, memory }: MetricsAnswer): string {
  if (whole.started === 0 && days.length === 0 && memory.junk.n === 0)
    return 'No work yet. Start with: oka do "<goal>"';
  const { timeToCompletion: time, rework, corrections, contextPack: pack, cost } = whole;
  const rows = days
    .slice(0, MAX_DAYS)
    .map((day) => [
      day.day,
      String(day.started),
      showShare(day.completion),
      showShare(day.rework),
      showShare(day.corrections),
      showMedian(day.timeToCompletion.medianWithoutWaitingMs),
      showCost(day.cost),
    ]);
  return [
    `since       ${since === 0 ? 'the beginning' : `${showTime(since)} UTC`}`,
    `work        ${whole.started} started, ${whole.open} still open`,
    `completed   ${showShare(whole.completion)}, ${whole.completion.partial} in part, ${whole.completion.unproven} not proven`,
    `reworked    ${showShare(rework)}, ${rework.rejections} rejections`,
    `took        median ${showMedian(time.medianMs)}, ${showMedian(time.medianWithoutWaitingMs)} without waiting for a person (n=${time.n})`,
    `corrected   ${showShare(corrections)}: ${corrections.edits} edits, ${corrections.undos} undone, ${corrections.corrections} corrections`,
    `context     ${pack.medianTokens === null ? 'no pack used yet' : `median ${Math.round(pack.medianTokens)} tokens (n=${pack.n})${showStability(packStability)}`}`,
    `facts       ${memory.junk.n} learned, junk ${showShare(memory.junk)}: ${memory.junk.unused} never used, ${memory.junk.superseded} superseded, ${memory.junk.rejected} rejected`,
    `lift        ${showLift(memory.lift)}`,
    `cost        ${showCost(cost)}, ${cost.modelCalls} model calls, ${cost.inputTokens} tokens in, ${cost.outputTokens} out`,
    '',
    table(['day (UTC)', 'started', 'completed', 'reworked', 'corrected', 'took', 'cost'], rows),
    ...(days.length > MAX_DAYS ? [`… and ${days.length - MAX_DAYS} days before; see --json`] : []),
  ].join('\n');
}

function showShare({ rate, count, n }: ShareView): string {
  if (rate === null) return 'none yet';
  return n < MIN_SAMPLE ? `${count} of ${n}` : `${percent(rate)} (n=${n})`;
}

function percent(share: number | null): string {
  return share === null ? 'unknown' : `${Math.round(share * 100)} %`;
}

function showStability({ n, medianKept, medianSizeChange }: MetricsAnswer['packStability']): string {
  if (n === 0) return '; no goal was given twice yet';
  return `; for the same goal again ${percent(medianKept)} of the items stay, size changes by ${percent(medianSizeChange)} (n=${n})`;
}

function showLift({ points, needed, withFacts, without }: MetricsAnswer['memory']['lift']): string {
  const groups = `${showShare(withFacts)} completed with facts, ${showShare(without)} without`;
  if (points === null) return `too little data: ${groups}; each needs at least ${needed}`;
  return `${points < 0 ? '−' : '+'}${Math.round(Math.abs(points) * 100)} percentage points: ${groups}`;
}

function showMedian(ms: number | null): string {
  return ms === null ? 'none yet' : showDuration(ms);
}

function showCost({ usd, assumedUsd, unpriced }: FiguresView['cost']): string {
  const show = (amount: number): string => (amount === 0 ? '$0' : `$${amount.toFixed(amount < 1 ? 4 : 2)}`);
  const priced = `${show(usd)}${assumedUsd > 0 ? ` (${show(assumedUsd)} of it at an assumed price)` : ''}`;
  return unpriced === 0 ? priced : `${priced} and ${unpriced} calls of unknown price`;
}
