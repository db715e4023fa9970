import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import type { Json, JsonObject } from '../../kernel/index.ts';
import { MemoryEventStore } from '../../ledger/index.ts';
import { spokenWords } from './spoken-words.ts';

interface Draft {
  readonly type: string;
  readonly data: JsonObject;
  readonly body?: Json;
}

/** What is heard of the last of these events. */
async function heard(stream: string, ...events: readonly Draft[]): Promise<string | undefined> {
  const store = new MemoryEventStore({ clock: new ManualClock(), random: seededRandom(), projections: [] });
  const stored = await store.commit({ actor: 'x', sync: 'full', appends: [{ stream, events }] });
  const last = stored.at(-1);
  return last && (await spokenWords(last, store))?.text;
}

const goal = (data: JsonObject): Draft => ({
  type: 'run.started',
  data: { kind: 'agent', lineage: { root: 'r' }, ...data },
  body: { goal: 'words' },
});
const asked = (options?: Json): Draft => ({
  type: 'question.asked',
  data: { id: 'q', about: 'question' },
  body: { question: 'how?', ...(options === undefined ? {} : { options }) },
});
const answered: Draft = { type: 'question.answered', data: { id: 'q' }, body: { answer: 'words' } };

describe('a person is heard', () => {
  it.each([
    ['in the goal that they gave', 'run/r', [goal({})]],
    ['in a goal for the assistant', 'run/r', [goal({ kind: 'assistant' })]],
    ['in a correction', 'run/r', [{ type: 'run.corrected', data: {}, body: { text: 'words' } }]],
    ['in an answer of their own', 'run/r', [asked(), answered]],
    [
      'in a turn of theirs',
      'memory/talks',
      [{ type: 'episode.recorded', data: { id: 'e', at: 1 }, body: { text: 'words', source: 'person:ada' } }],
    ],
  ] as const)('%s', async (_, stream, events) => {
    expect(await heard(stream, ...(events as readonly Draft[]))).toBe('words');
  });

  it.each([
    [
      'in the goal of a child run, which a planner wrote',
      'run/r',
      [goal({ lineage: { root: 'r', parent: 'p' } })],
    ],
    ['in a goal that begins with the words of strangers', 'run/r', [goal({ untrusted: true })]],
    ['in the goal of a run of another kind', 'run/r', [goal({ kind: 'graph' })]],
    ['again in a run that goes on', 'run/r', [goal({ lineage: { root: 'r', resumedFrom: 'p' } })]],
    ['in a goal that was erased', 'run/r', [{ type: 'run.started', data: goal({}).data }]],
    ['in an answer that a planner offered', 'run/r', [asked(['words', 'no']), answered]],
    ['in an answer to a question that is not known', 'run/r', [answered]],
    ['in what a tool gave', 'run/r', [{ type: 'tool.completed', data: {}, body: { output: 'words' } }]],
    [
      'in a turn of somebody else',
      'memory/talks',
      [{ type: 'episode.recorded', data: { id: 'e', at: 1 }, body: { text: 'words', source: 'agent:bot' } }],
    ],
    [
      'in a turn of nobody known',
      'memory/talks',
      [{ type: 'episode.recorded', data: { id: 'e', at: 1 }, body: { text: 'words' } }],
    ],
  ] as const)('not %s', async (_, stream, events) => {
    expect(await heard(stream, ...(events as readonly Draft[]))).toBeUndefined();
  });
});
