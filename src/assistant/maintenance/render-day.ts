import type { RunSummary } from '../../engine/index.ts';
import type { Episode, Fact } from '../../memory/index.ts';
import { quoteText, section } from './quote-text.ts';

/** What happened on one UTC day. */
export interface DayPage {
  readonly runs: RunSummary[];
  readonly turns: Pick<Episode, 'text' | 'conversation' | 'at' | 'namespace'>[];
  readonly facts: Fact[];
}

export function renderDay(day: string, { runs, turns, facts }: DayPage): string {
  return [
    `# ${day}`,
    '',
    ...section('Runs', inOrder(runs, ({ startedAt }) => startedAt).map(runLine)),
    ...section('Turns', [...turns].sort((one, other) => one.at - other.at).map(turnLine)),
    ...section('Learned', inOrder(facts, ({ at }) => at).map(factLine)),
  ].join('\n');
}

function runLine(run: RunSummary): string {
  const { id, goal, status, failureCode, startedAt, endedAt } = run;
  const why = failureCode === undefined ? '' : ` (${quoteText(failureCode)})`;
  const took = endedAt === undefined ? '' : ` after ${Math.round((endedAt - startedAt) / 1_000)} s`;
  return `${timeOf(startedAt)} ${quoteText(goal)}: ${status}${why}${took} (${quoteText(`oka runs explain ${id}`)})`;
}

function turnLine({ at, conversation, text }: DayPage['turns'][number]): string {
  const where = conversation === undefined ? '' : `${quoteText(conversation, 80)} `;
  return `${timeOf(at)} ${where}${quoteText(text)}`;
}

function factLine({ id, text, confidence, source }: Fact): string {
  const from = source === undefined ? '' : `, from ${quoteText(source, 120)}`;
  return `${quoteText(text)}, ${Math.round(confidence * 100)} % sure${from} (${quoteText(`oka memory fact get ${id}`)})`;
}

function inOrder<Item extends { readonly id: string }>(
  items: readonly Item[],
  at: (item: Item) => number,
): readonly Item[] {
  return [...items].sort((one, other) => at(one) - at(other) || (one.id < other.id ? -1 : 1));
}

function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 16);
}
