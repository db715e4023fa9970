/** The middle of a list of numbers. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The line of a figure: medians over the rounds, ratios taken inside each. A target is `{ atMost }` or `{ atLeast }`
 * and is held against the ratio where the figure has one, else against our own value.
 */
export function figureLine(line, samples) {
  const ours = samples.map(line.ours);
  const rounds = samples.filter((sample) => line.value === undefined || isNumber(valueIn(line, sample)));
  const values = line.value === undefined ? [] : rounds.map(line.value);
  const ratios = line.value === undefined ? [] : rounds.map((sample) => ratioOf(line, sample));
  const judged = line.value === undefined ? median(ours) : ratios.length === 0 ? undefined : median(ratios);
  return {
    figure: line.figure,
    ours: round(median(ours)),
    unit: line.unit,
    baseline: line.baseline ?? null,
    baselineValue: values.length === 0 ? null : round(median(values)),
    ratio: ratios.length === 0 ? null : round(median(ratios)),
    target: targetText(line.target),
    met: line.target === undefined || judged === undefined ? null : meets(line.target, judged),
    rounds: line.value === undefined ? samples.length : rounds.length,
    spread: {
      ours: extent(ours),
      ...(values.length === 0 ? {} : { baseline: extent(values), ratio: extent(ratios) }),
    },
    ...line.also?.(samples),
  };
}

/** How many times ours the baseline is for a rate or a speed-up, how many times the baseline ours is for a cost. */
function ratioOf(line, sample) {
  const ours = line.ours(sample);
  const value = line.value(sample);
  return line.ratio === 'baseline/ours' ? value / ours : ours / value;
}

function valueIn(line, sample) {
  try {
    return line.value(sample);
  } catch {
    return undefined; // The peer was left out or failed in this round.
  }
}

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const extent = (values) => [round(Math.min(...values)), round(Math.max(...values))];
const round = (value) => Number(value.toPrecision(4));

function targetText(target) {
  if (target === undefined) return null;
  return target.atMost === undefined ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
}

const meets = (target, value) =>
  target.atMost === undefined ? value >= target.atLeast : value <= target.atMost;

/** The lines for people. What matters least stands last, where a narrow terminal cuts it off. */
export function table(lines, width = Number.POSITIVE_INFINITY) {
  const rows = lines.map((line) => [
    line.figure,
    `${line.ours} ${line.unit}`,
    line.baseline === null ? '' : String(line.baselineValue ?? 'none'),
    line.ratio === null ? '' : String(line.ratio),
    `${line.target ?? ''}${line.met === null ? '' : line.met ? ' met' : ' MISSED'}`,
    line.ratio === null ? '' : line.spread.ratio.join(' to '),
    line.baseline ?? '',
  ]);
  const all = [['figure', 'ours', 'baseline', 'ratio', 'target', 'spread', 'baseline is'], ...rows];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all.map((row) => cutTo(width, paddedTo(widths, row))).join('\n');
}

const paddedTo = (widths, row) =>
  row
    .map((cell, column) => cell.padEnd(widths[column]))
    .join('  ')
    .trimEnd();

const cutTo = (width, text) => (text.length <= width ? text : `${text.slice(0, width - 1)}…`);
