import truncatedWidth from 'fast-string-truncated-width';
import {
  type ActionView,
  type EffectView,
  type ExplainAnswer,
  outputText,
  type ReplayAnswer,
  type RunAnswer,
  type RunListItem,
  type SimulationView,
  shortenIds,
  shortId,
  shortIds,
} from '../api/index.ts';
import { showWaitingRequest } from './approval-card.ts';
import { visible } from './printer.ts';
import { showTime } from './show-time.ts';

export { showTime } from './show-time.ts';

const MAX_GOAL_LENGTH = 60;
/** Text columns are cut to no less than this, the width of a time. */
const MIN_TEXT_WIDTH = 19;

/** The text on one line, cut to a number of columns. */
export function clip(text: string, columns: number): string {
  return cutToWidth(visible(text).replaceAll(/\s+/g, ' '), columns);
}

/** Cuts a line, which may have colours, to a number of columns. */
export function cutToWidth(text: string, columns: number): string {
  const { index, truncated } = truncatedWidth(text, { limit: columns, ellipsis: '…' });
  return truncated ? `${text.slice(0, index)}…` : text;
}

function columnsOf(text: string): number {
  return truncatedWidth(text).width;
}

export function showBytes(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}

export function showDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

/** Such as "$0.08". */
export function showDollars(amount: number): string {
  return amount > 0 && amount < 0.01 ? '<$0.01' : `$${amount.toFixed(2)}`;
}

/** The id of a run, short; every command takes it. */
export function showRunId(id: string): string {
  return shortId(id);
}

/** Formats names and values in two columns; skips missing values. */
export function showFacts(facts: readonly (readonly [name: string, value: string | undefined])[]): string[] {
  const known = facts.filter(([, value]) => value !== undefined);
  const width = Math.max(...known.map(([name]) => name.length));
  return known.map(([name, value]) => `  ${visible(name).padEnd(width)}  ${visible(value ?? '')}`);
}

/** Formats a table. On a narrow terminal it cuts text columns; piped output is never cut. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  room = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY,
): string {
  const columns = head.map((title, i) => [title, ...rows.map((row) => row[i] ?? '')]);
  const widths = widthsWithin(columns, room);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        const fits = cutToWidth(cell, width);
        return i === cells.length - 1 ? fits : fits + ' '.repeat(width - columnsOf(fits));
      })
      .join('  ');
  return [line(head), ...rows.map(line)].join('\n');
}

/** Shrinks the widest text column until the table fits. Ids, paths and times are never cut. */
function widthsWithin(columns: readonly (readonly string[])[], room: number): readonly number[] {
  const widths = columns.map((cells) => Math.max(...cells.map(columnsOf)));
  const hasText = columns.map((cells) => cells.some((cell) => cell.includes(' ')));
  for (;;) {
    const over = widths.reduce((sum, width) => sum + width, 2 * (widths.length - 1)) - room;
    const cuttable = widths.map((width, i) => (hasText[i] && width > MIN_TEXT_WIDTH ? width : 0));
    const widest = Math.max(...cuttable);
    if (over <= 0 || widest === 0) return widths;
    widths[cuttable.indexOf(widest)] = Math.max(MIN_TEXT_WIDTH, widest - over);
  }
}

function showStatus(run: { readonly status: string; readonly outcome?: string }): string {
  if (run.outcome === 'partial') return 'done in part';
  if (run.outcome === 'unproven') return 'not proven';
  return run.status;
}

/** Such as `waiting (approval)`. */
function showListStatus(run: RunListItem): string {
  const { waitingFor } = run;
  return waitingFor === undefined ? showStatus(run) : `${showStatus(run)} (${waitingFor.what})`;
}

export function showRunList({ runs }: { readonly runs: readonly RunListItem[] }): string {
  if (runs.length === 0) return 'No runs yet. Start one with: oka do "<goal>"';
  const shown = shortIds(runs.map(({ id }) => id));
  const rows = runs.map((run) => [
    shown(run.id),
    `${showListStatus(run)}${run.simulated ? ' (simulated)' : ''}`,
    showTime(run.startedAt),
    clip(showGoal(run.goal), MAX_GOAL_LENGTH),
  ]);
  return table(['run', 'status', 'started (UTC)', 'goal'], rows);
}

/** Runs that no process works on, with what each waits for. */
export function showWaitingRuns({ runs }: { readonly runs: readonly RunListItem[] }): string {
  if (runs.length === 0) return 'Nothing waits.';
  const shown = shortIds(runs.map(({ id }) => id));
  const rows = runs.map(({ id, status, waitingFor, goal }) => [
    shown(id),
    status,
    waitingFor?.what ?? '',
    waitingFor?.until === undefined ? '' : showTime(waitingFor.until),
    clip(showGoal(goal), MAX_GOAL_LENGTH),
  ]);
  return table(['run', 'status', 'waits for', 'until (UTC)', 'goal'], rows);
}

/** Every run starts with a goal; a missing one was erased. */
function showGoal(goal: string | undefined): string {
  return goal ? visible(goal) : '(erased)';
}

function showNext(run: RunAnswer['run']): string[] {
  if (run.status === 'interrupted')
    return [`next      its process has exited; continue it: oka runs resume ${showRunId(run.id)}, or oka up`];
  if (run.status === 'paused') return [`next      oka runs resume ${showRunId(run.id)}`];
  return run.waitingFor ? [`next      ${shortenIds(run.waitingFor.next)}`] : [];
}

/** Shows each reason to wait with the command that continues it. */
function showWaits(run: RunAnswer['run']): string[] {
  const { blockers, waitingFor } = run;
  if (blockers === undefined || run.status === 'paused')
    return [
      ...(waitingFor?.request && !run.simulated
        ? [`waits for a person (${waitingFor.what})`, ...showWaitingRequest(waitingFor.request)]
        : waitingFor
          ? [`waits for ${visible(shortenIds(waitingFor.detail))}`]
          : []),
      ...showNext(run),
    ];
  return blockers.flatMap(({ run: id, runs = 1, detail, next }) => [
    `waits for run ${showRunId(id)}${runs > 1 ? ` and ${runs - 1} more` : ''}: ${visible(shortenIds(detail))}`,
    `next      ${shortenIds(next)}`,
  ]);
}

export function showRun({ run, output, ...simulation }: RunAnswer): string {
  const used = Object.entries(run.budgets.used).map(([name, amount]) => `${name} ${amount}`);
  return [
    `run       ${showRunId(run.id)}`,
    `goal      ${showGoal(run.goal)}`,
    `status    ${showStatus(run)}${hasDistinctState(run) ? ` (${run.state})` : ''}`,
    ...(run.because ? [`because   ${visible(run.because.join('; '))}`] : []),
    ...(run.simulated ? ['simulated it changed nothing and cannot be continued'] : []),
    ...(run.resumedFrom ? [`resumed   from ${showRunId(run.resumedFrom)}${showEarlier(run)}`] : []),
    ...(run.forkedFrom
      ? [`forked    from ${showRunId(run.forkedFrom.run)}, step ${run.forkedFrom.step}`]
      : []),
    ...(run.parent ? [`parent    ${showRunId(run.parent)}`] : []),
    ...(run.failure ? [`failure   ${visible(run.failure.message)} (${run.failure.code})`] : []),
    ...showWaits(run),
    ...run.artifacts.map(
      (artifact) =>
        `artifact  ${artifact.name ?? '(unnamed)'}  ${showBytes(artifact.bytes)}  ${artifact.digest.slice(0, 12)}`,
    ),
    `used      ${used.join(', ') || 'nothing'}`,
    ...(run.simulated ? showSimulation(run.id, simulation) : []),
    ...(output === null ? [] : ['', visible(outputText(output))]),
  ].join('\n');
}

function showEarlier({ attempts = [], artifacts }: RunAnswer['run']): string {
  const count = attempts.length > 1 ? ` and ${attempts.length - 1} earlier attempts` : '';
  return artifacts.length === 0 ? count : `${count}; their artifacts are included`;
}

function hasDistinctState({ status, state }: RunAnswer['run']): boolean {
  return status !== 'completed' && state !== status && !state.startsWith('(');
}

/** What a real run would do, and what its output would be. */
export function showSimulatedRun({ run, output, ...simulation }: RunAnswer): string {
  return [
    ...showSimulation(run.id, simulation),
    ...(output === null ? [] : ['', visible(outputText(output))]),
  ].join('\n');
}

/** Lists every effect, then the diffs. */
function showSimulation(
  id: string,
  { wouldChange = [], effects = [], wouldFail = [], simulationNotes = [] }: SimulationView,
): string[] {
  const isEmpty = wouldChange.length === 0 && effects.length === 0;
  return [
    isEmpty
      ? `effects   none${simulationNotes.length === 0 ? '' : ' up to where it stopped'}`
      : 'effects   a real run would have these, in order',
    ...effects.map((effect) => `  ${effect.kind.padEnd(8)}${showEffect(id, effect)}`),
    ...wouldFail.map(
      ({ what, outcome, why }) =>
        `would ${outcome === 'refused' ? 'be refused' : 'fail'}: ${clip(what, 300)}: ${visible(why)}`,
    ),
    ...wouldChange.map(
      ({ path, change, bytes, folder }) =>
        `simulated ${visible(path)} would be ${change}${bytes === undefined || (folder && bytes === 0) ? '' : ` (${showBytes(bytes)})`}`,
    ),
    ...simulationNotes.map((note) => `note      ${visible(note)}`),
    ...wouldChange.flatMap(({ path, diff, folder }) => {
      if (diff !== undefined) return ['', visible(diff.trimEnd())];
      return folder ? [] : ['', `${visible(path)} is not text, so there is no diff`];
    }),
  ];
}

function showEffect(id: string, { kind, what, cwd, run, step, asks, withheld }: EffectView): string {
  return [
    clip(what, 300),
    ...(cwd === undefined ? [] : [`in ${visible(cwd)}`]),
    run === id ? `step ${step}` : `step ${step} of run ${showRunId(run)}`,
    ...(withheld ? ['not made'] : kind === 'program' ? ['ran on a draft'] : []),
    ...(asks === undefined ? [] : [`asks a person first (rule ${visible(asks)})`]),
  ].join('  ');
}

export function showExplanation(answer: ExplainAnswer): string {
  const lines = [
    `run ${showRunId(answer.run.id)}: ${visible(answer.run.goal ?? '')}`,
    `${showStatus(answer.run)} in ${answer.run.state}`,
    ...(answer.run.simulated ? ['simulated: it changed nothing and cannot be continued'] : []),
    '',
    `timeline  ${answer.timeline.map(({ state }) => state).join(' → ')}`,
    '',
  ];
  for (const action of answer.actions) {
    const call = action.tool ? `${action.decision} ${action.tool}` : action.decision;
    const outcome = action.expected ? 'nothing found' : (action.outcome ?? '');
    lines.push(
      `${String(action.step).padStart(3)}  ${action.state.padEnd(9)} ${call}${outcome ? `  ${outcome}` : ''}`,
    );
    lines.push(`     why: ${visible(action.rationale)}`);
    if (action.model) lines.push(`     model: ${showModel(action.model)}`);
    if (action.input !== undefined) lines.push(`     input: ${clip(JSON.stringify(action.input), 200)}`);
    for (const verdict of action.verdicts) lines.push(`     verdict: ${visible(verdict)}`);
    if (action.failure)
      lines.push(
        `     ${action.expected ? 'answer' : 'failed'}: ${visible(action.failure.message)} (${action.failure.code})`,
      );
    else if (action.output !== undefined)
      lines.push(`     output: ${clip(JSON.stringify(action.output), 200)}`);
    for (const recovery of action.recoveries ?? []) lines.push(`     recovery: ${visible(recovery)}`);
    for (const artifact of action.artifacts ?? [])
      lines.push(`     artifact: ${artifact.name ?? ''} ${showBytes(artifact.bytes)} ${artifact.digest}`);
  }
  if (answer.notes.length > 0)
    lines.push('', ...answer.notes.map((note) => `${showTime(note.at)}  ${visible(note.what)}`));
  if (answer.untrusted) lines.push('', ...showUntrusted(answer.untrusted));
  const cost = Object.entries(answer.cost).map(([name, amount]) => `${name} ${amount}`);
  lines.push('', `cost      ${cost.join(', ') || 'nothing'}`);
  if (answer.run.simulated) lines.push('', ...showSimulation(answer.run.id, answer));
  return lines.join('\n');
}

function showUntrusted({ sources, consequences }: NonNullable<ExplainAnswer['untrusted']>): string[] {
  return [
    'untrusted: it has read',
    ...sources.map(
      ({ step, what }) => `  ${step === undefined ? 'at the start' : `in step ${step}`}: ${clip(what, 300)}`,
    ),
    'therefore',
    ...consequences.map((line) => `  ${line}`),
  ];
}

export function showReplay(answer: ReplayAnswer): string {
  if (answer.narrative) return answer.narrative.map(visible).join('\n');
  const differences = answer.differences.map(
    ({ step, recorded, replayed }) =>
      `step ${step} differs\n  then: ${clip(JSON.stringify(recorded), 300)}\n  now:  ${clip(JSON.stringify(replayed), 300)}`,
  );
  const verdict = answer.equal
    ? `equal: ${answer.compared} decisions compared`
    : `${differences.length} of ${answer.compared} differ`;
  return [verdict, ...differences, ...answer.notes.map((note) => `note: ${note}`)].join('\n');
}

function showModel({ provider, model, spend, manifest }: NonNullable<ActionView['model']>): string {
  const {
    input_tokens: given = 0,
    output_tokens: got = 0,
    cost_usd: cost,
    assumed_cost_usd: assumed,
  } = spend;
  const { messages } = (manifest ?? {}) as { messages?: readonly unknown[] };
  const shown = messages === undefined ? '' : ` in ${messages.length} messages`;
  const price = cost === undefined ? 'price unknown' : `$${cost}${assumed ? ' at an assumed price' : ''}`;
  return visible(`${provider} ${model}, ${given} tokens${shown}, ${got} back, ${price}`);
}
