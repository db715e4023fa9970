// Owns: the timeline of an exported tree of runs: one row per step, on one axis. A step lasts from the event before it to its last one.
import { shortId } from '../../../api/index.ts';
import type { ExplainedAction, Explanation } from '../../../engine/index.ts';
import type { LedgerEvent } from '../../../ledger/index.ts';
import { html, type Markup } from './markup.ts';
import { titleOf } from './step-parts.ts';
import { showDollars, showDuration, showTime } from './texts.ts';

/** A run of the exported tree. */
export interface ExportedRun {
  readonly explanation: Explanation;
  readonly events: readonly LedgerEvent[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const WIDTH = 1_000;
const MIN_WIDTH = 3;

export function showTimeline(runs: readonly ExportedRun[]): Markup {
  const times = runs.flatMap(({ events }) => events.map(({ at }) => at));
  // A spread of all times would exceed the stack for large trees.
  const whole = {
    from: times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
    to: times.reduce((a, b) => Math.max(a, b), 0),
  };
  const axis = html`<div class="row head"><span>step</span><span>${showTime(whole.from).slice(11)} to ${showTime(whole.to).slice(11)}, ${showDuration(whole.to - whole.from)}</span><span>time</span><span>cost</span></div>`;
  return html`${axis}${runs.map((run, i) => rowsOf(run, whole, i > 0))}`;
}

function rowsOf({ explanation, events }: ExportedRun, whole: Span, isChild: boolean): readonly Markup[] {
  const spans = spansOf(events);
  const whose = isChild ? `${shortId(explanation.run.id)} ` : '';
  return explanation.actions.map((action) => {
    const span = spans.get(action.step) ?? { from: action.at, to: action.at };
    const cost = action.model?.spend.cost_usd;
    return html`<div class="row"><span>${whose}${action.step}. ${titleOf(action)}</span><svg viewBox="0 0 1000 12" preserveAspectRatio="none" aria-hidden="true"><rect class="lane" x="0" y="5" width="1000" height="2"></rect><rect class="${classOf(action)}" x="${placeOf(span.from, whole)}" y="0" width="${Math.max(MIN_WIDTH, placeOf(span.to, whole) - placeOf(span.from, whole))}" height="12"></rect></svg><span>${showDuration(span.to - span.from)}</span><span>${cost === undefined ? '–' : showDollars(cost)}</span></div>`;
  });
}

function spansOf(events: readonly LedgerEvent[]): ReadonlyMap<number, Span> {
  const spans = new Map<number, Span>();
  let before = events[0]?.at ?? 0;
  for (const { data, at } of events) {
    const step = data['step'];
    if (typeof step === 'number') spans.set(step, { from: spans.get(step)?.from ?? before, to: at });
    before = at;
  }
  return spans;
}

function placeOf(at: number, { from, to }: Span): number {
  return to === from ? 0 : Math.min(WIDTH - MIN_WIDTH, Math.round(((at - from) / (to - from)) * WIDTH));
}

function classOf({ outcome, model }: ExplainedAction): string {
  if (outcome === 'failed' || outcome === 'refused') return 'failed';
  if (outcome === 'waiting') return 'waiting';
  return model === undefined ? 'tool' : 'model';
}
