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
const FOLDED = ['runs', 'facts', 'messages', 'approvals', 'schedules'] as const;
const LISTS = ['events', ...FOLDED] as const;

/** Classifies what a person saw by the content before the damage and at the end. */
export function classify(
  story: Story,
  truth: WorkspaceContent,
  end: WorkspaceContent | { readonly unreadable: string },
): Classification {
  const failures = [...misbehaviour(story)];
  if ('unreadable' in end) return { outcome: 'FAILED', failures: [...failures, end.unreadable] };
  const losses = findLosses(truth, end, toldAsLost(story.steps));
  const silent = losses.filter(({ isNamed }) => !isNamed);
  if (silent.length > 0) failures.push(`lost without a word: ${silent.map(({ what }) => what).join(', ')}`);
  if (end.facts.filter((fact) => fact.includes(NEW_FACT)).length !== 1)
    failures.push('the fact that was added after the damage is not there once');
  const outcome = outcomeOf(story, losses.length > 0);
  if (outcome === 'FAILED') failures.push('a command ended with 7, and nothing was repaired after it');
  return failures.length > 0 ? { outcome: 'FAILED', failures } : { outcome, failures };
}

/** The outcome of a round without a failure. */
function outcomeOf({ steps }: Story, hasLoss: boolean): Outcome {
  const repairs = steps.filter(({ command }) => /^oka (ledger repair|backup restore)/.test(command));
  if (hasLoss || repairs.some(({ command, exitCode }) => command.includes('backup') && exitCode === 0))
    return 'loss named';
  if (repairs.length > 0) return 'repaired';
  if (steps.some(({ stderr }) => /recovered|rewrote|removed from run_ledger/i.test(stderr)))
    return 'healed forward';
  return steps.some(({ exitCode }) => exitCode === INTEGRITY) ? 'FAILED' : 'harmless';
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
  readonly isNamed: boolean;
}

/** The content that is missing or changed after the damage, and whether a command reported it. */
function findLosses(truth: WorkspaceContent, end: WorkspaceContent, told: string): Loss[] {
  const missing = (list: (typeof LISTS)[number]): string[] => {
    const there = new Set(end[list]);
    return truth[list].filter((item) => !there.has(item));
  };
  // A damaged event is named. Later events cannot be verified, so they and the rows folded from them are lost too.
  const firstNamed = Math.min(...[...told.matchAll(/seq (\d+)/g)].map(([, seq]) => Number(seq)));
  const events = missing('events').map((line) => Number((JSON.parse(line) as { seq: number }).seq));
  const areEventsNamed = events.length > 0 && events.every((seq) => seq >= firstNamed);
  return [
    ...events.map((seq) => ({ what: `event ${seq}`, isNamed: areEventsNamed })),
    ...FOLDED.flatMap((list) =>
      missing(list).map((item) => ({ what: `${list}: ${item}`, isNamed: areEventsNamed })),
    ),
    ...[...truth.blobs]
      .filter(([path, bytes]) => end.blobs.get(path)?.equals(bytes) !== true)
      .map(([path]) => ({ what: path, isNamed: told.includes(path.replaceAll(/objects|\W/g, '')) })),
    ...Object.entries(truth.credentials)
      .filter(([name, value]) => end.credentials[name] !== value)
      .map(([name]) => ({ what: `credential ${name}`, isNamed: told.includes(name) })),
  ];
}

/** The output of commands that exited with 7, or that accepted a loss. */
function toldAsLost(steps: readonly Step[]): string {
  return steps
    .filter(({ command, exitCode }) => exitCode === INTEGRITY || command.includes('--accept-loss'))
    .map(({ stdout, stderr }) => stdout + stderr)
    .join('\n');
}
