import { describe, expect, it } from 'vitest';
import { byTopic, isInstructive, type TriedRun, topicOf, wordCounts } from './learnings.ts';

const run = (goal: string, more: Partial<TriedRun> = {}): TriedRun =>
  ({ id: goal, goal, status: 'completed', startedAt: 0, rework: [], corrections: [], ...more }) as TriedRun;

describe('topicOf', () => {
  it.each([
    [{ goal: 'please write a brief of this folder to ../../etc/passwd' }, 'folder'],
    [{ goal: 'search for "rm -rf" in src/main.js' }, 'search'],
    [{ goal: 'brief. I prefer tea.' }, 'brief'],
    [{ goal: 'g', subject: 'Nightly/../Brief' }, 'nightly-brief'],
    [{ goal: '検索 🙂' }, 'other'],
    [{ goal: 'Résumé prüfen' }, 'resume'],
  ])('maps %j to %j', (given, topic) => {
    expect(topicOf(given, wordCounts([given]))).toBe(topic);
  });
});

describe('byTopic', () => {
  const topics = (...runs: readonly TriedRun[]): Record<string, number> =>
    Object.fromEntries([...byTopic(runs)].map(([topic, members]) => [topic, members.length]));

  it('groups goals by their recurring subject, however they are worded', () => {
    const invoices = ['sum up the invoices', 'which invoice is largest', 'please sort invoices by date'];
    expect(topics(...invoices.map((goal) => run(goal)), run('water the roses'))).toEqual({
      invoice: 3,
      other: 1,
    });
  });

  it('leaves out goals that were not understood, unless a person corrected them', () => {
    const lost = { status: 'failed', failureCode: 'agent.goal_not_understood' } as const;
    const phrases = ['frobnicate the wibble', 'frobnicate the wobble', 'frobnicate it'];
    expect(topics(...phrases.map((goal) => run(goal, lost)))).toEqual({});
    expect(topics(run('frobnicate it', { ...lost, corrections: ['I mean sort'] }))).toEqual({ other: 1 });
  });

  it('treats a single run as instructive only if a person corrected it', () => {
    expect(isInstructive('other', [run('water the roses', { status: 'failed' })])).toBe(false);
    expect(isInstructive('other', [run('water the roses', { corrections: ['less'] })])).toBe(true);
    expect(isInstructive('invoice', [run('a', { status: 'failed' }), run('b')])).toBe(true);
  });
});
