// Owns: the text of `oka chat trace`: one line for each turn, in the order of the chains. A long trace hides answered turns in
// its middle, never one without an answer.
import { count, type NotificationView } from '../api/index.ts';
import { clip, showRunId, showTime } from './format.ts';
import { visible } from './printer.ts';

const MAX_LINES = 40;
const SHOWN_AT_EDGE = 10;
const MAX_DETAIL_COLUMNS = 160;

export function showTrace(
  turns: readonly NotificationView[],
  { all, conversation }: { readonly all: boolean; readonly conversation: string },
): string {
  if (turns.length === 0) return 'No notifications';
  const ordered = inChainOrder(turns);
  const head = 'depth';
  const isLong = !all && ordered.length > MAX_LINES;
  const lines: string[] = [];
  let hidden: NotificationView[] = [];
  const flush = (): void => {
    if (hidden.length > 0) lines.push(`${' '.repeat(head.length)}  … ${describeHidden(hidden)}`);
    hidden = [];
  };
  for (const [place, turn] of ordered.entries()) {
    const isEdge = place < SHOWN_AT_EDGE || place >= ordered.length - SHOWN_AT_EDGE;
    if (isLong && !isEdge && turn.status === 'done') hidden.push(turn);
    else {
      flush();
      const { depth, from, agent } = turn;
      lines.push(`${String(depth).padStart(head.length)}  ${from} → ${agent}  ${describe(turn)}`);
    }
  }
  flush();
  return [
    head,
    ...lines,
    ...(isLong ? [`${count(ordered.length, 'turn')}. Show all: oka chat trace ${conversation} --all`] : []),
  ].join('\n');
}

/** Each turn is followed by those that its answer notified. A chain may be deep, so this does not recurse. */
function inChainOrder(turns: readonly NotificationView[]): readonly NotificationView[] {
  const known = new Set(turns.map(({ id }) => id));
  const below = new Map<string | undefined, NotificationView[]>();
  for (const turn of turns) {
    const parent = turn.parent !== undefined && known.has(turn.parent) ? turn.parent : undefined;
    below.set(parent, [...(below.get(parent) ?? []), turn]);
  }
  const ordered: NotificationView[] = [];
  const open = (below.get(undefined) ?? []).toReversed();
  for (let turn = open.pop(); turn !== undefined; turn = open.pop()) {
    ordered.push(turn);
    open.push(...(below.get(turn.id) ?? []).toReversed());
  }
  return ordered;
}

function describeHidden(turns: readonly NotificationView[]): string {
  const tokens = turns.reduce((sum, turn) => sum + turn.tokens, 0);
  const costUsd = turns.reduce((sum, turn) => sum + turn.costUsd, 0);
  const depths = `depth ${turns[0]?.depth} to ${turns.at(-1)?.depth}`;
  return `${count(turns.length, 'turn')} done, ${depths}${showSpent(tokens, costUsd)}`;
}

function describe(turn: NotificationView): string {
  const { message, status, reason, detail, waiting, tokens, costUsd, run } = turn;
  const state =
    waiting === undefined ? status : `waiting until ${showTime(waiting.until)} UTC (${visible(waiting.why)})`;
  const why =
    reason === undefined
      ? ''
      : `: ${reason}${detail === undefined ? '' : ` (${clip(visible(detail), MAX_DETAIL_COLUMNS)})`}`;
  return `#${message}  ${state}${why}${showSpent(tokens, costUsd)}${run === undefined ? '' : `  run ${showRunId(run)}`}`;
}

function showSpent(tokens: number, costUsd: number): string {
  return tokens === 0 ? '' : `  ${tokens} tokens${costUsd === 0 ? '' : `, $${costUsd.toFixed(4)}`}`;
}
