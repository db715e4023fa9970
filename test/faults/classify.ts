import { errorCodeOf, NEW_FACT, type Story } from './act-as-person.ts';
import type { Step } from './run-oka.ts';
import type { WorkspaceContent } from './workspace-content.ts';

export const OUTCOMES = ['harmless', 'healed forward', 'repaired', 'loss named', 'FAILED'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Classification {
  readonly outcome: Outcome;
  /** Why it failed. */
  readonly failures: readonly string[];
}

const INTEGRITY = 7;
const LISTS = ['events', 'runs', 'facts', 'messages', 'approvals', 'schedules'] as const;

/** Judges what a person saw by what was there before the damage and what is there at the end. */
export function classify(
  story: Story,
  truth: WorkspaceContent,
  end: WorkspaceContent | { readonly unreadable: string },
): Classification {
  const failures = [...misbehaviour(story)];
  if ('unreadable' in end) return { outcome: 'FAILED', failures: [...failures, end.unreadable] };
  const isDetected = story.steps.some(({ exitCode }) => exitCode === INTEGRITY);
  const losses = findLosses(truth, end);
  const named = namedLosses(story.steps);
  const silent = losses.filter((loss) => !loss.names.some((name) => named.includes(name)));
  if (silent.length > 0) failures.push(`lost without a word: ${silent.map(({ what }) => what).join(', ')}`);
  if (end.facts.filter((fact) => fact.includes(NEW_FACT)).length !== 1)
    failures.push('the fact that was added after the damage is not there once');
  if (failures.length > 0) return { outcome: 'FAILED', failures };
  if (!isDetected)
    return { outcome: said(story, /recovered|repaired|mended/) ? 'healed forward' : 'harmless', failures };
  const hasLoss = losses.length > 0 || usesBackup(story);
  return { outcome: hasLoss ? 'loss named' : 'repaired', failures };
}

/** What no command may do, whatever the damage. */
function* misbehaviour({ steps, changedByVerify }: Story): Generator<string> {
  for (const step of steps) {
    const { command, exitCode, stdout, stderr } = step;
    if (exitCode === undefined) yield `${command} did not end`;
    if (errorCodeOf(step) === 'cli.unexpected') yield `${command} ended with cli.unexpected`;
    if (/^\s+at .+:\d+:\d+\)?$/m.test(stdout + stderr)) yield `${command} printed a stack trace`;
    if (exitCode !== undefined && exitCode !== 0 && exitCode !== INTEGRITY)
      yield `${command} ended with ${exitCode}`;
  }
  if (changedByVerify.length > 0) yield `ledger verify changed ${changedByVerify.join(', ')}`;
  const last = steps.at(-1) as Step;
  if (!last.command.startsWith('oka ledger verify') || last.exitCode !== 0)
    yield `it does not end in a verified workspace: ${last.command} ended with ${last.exitCode}`;
}

interface Loss {
  readonly what: string;
  /** A message that has one of these names the loss. */
  readonly names: readonly string[];
}

/** What was there before the damage and is not there as it was. */
function findLosses(truth: WorkspaceContent, end: WorkspaceContent): Loss[] {
  const losses: Loss[] = [];
  for (const list of LISTS) {
    const there = new Set(end[list]);
    for (const item of truth[list]) {
      if (there.has(item)) continue;
      const { seq, id } = JSON.parse(item) as { seq?: number; id?: string | number };
      const name = seq === undefined ? String(id) : `seq ${seq}`;
      losses.push({ what: `${name} of ${list}`, names: [name] });
    }
  }
  for (const [path, bytes] of truth.blobs) {
    const digest = path.replaceAll(/objects|\W/g, '');
    if (end.blobs.get(path)?.equals(bytes) !== true) losses.push({ what: path, names: [digest] });
  }
  for (const [name, value] of Object.entries(truth.credentials)) {
    if (end.credentials[name] !== value)
      losses.push({ what: `credential ${name}: ${end.credentials[name]}`, names: [name, 'vault'] });
  }
  return losses;
}

/** What commands said that ended with 7, or that accepted a loss. */
function namedLosses(steps: readonly Step[]): string {
  return steps
    .filter(({ command, exitCode }) => exitCode === INTEGRITY || command.includes('--accept-loss'))
    .map(({ stdout, stderr }) => stdout + stderr)
    .join('\n');
}

function said({ steps }: Story, words: RegExp): boolean {
  return steps.some(({ stdout, stderr }) => words.test(stdout + stderr));
}

function usesBackup({ steps }: Story): boolean {
  return steps.some(({ command, exitCode }) => command.includes('--backup') && exitCode === 0);
}
