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

/** The person's words in the last of these events. */
async function wordsIn(stream: string, ...events: readonly Draft[]): Promise<string | undefined> {
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

describe('spokenWords', () => {
  it.each([
    ['the goal of a person', 'run/r', [goal({})]],
    ['a goal for the assistant', 'run/r', [goal({ kind: 'assistant' })]],
    ['a correction', 'run/r', [{ type: 'run.corrected', data: {}, body: { text: 'words' } }]],
    ['a free-text answer', 'run/r', [asked(), answered]],
    [
      'a turn of a person',
      'memory/talks',
      [{ type: 'episode.recorded', data: { id: 'e', at: 1 }, body: { text: 'words', source: 'person:ada' } }],
    ],
  ] as const)('returns %s', async (_, stream, events) => {
    expect(await wordsIn(stream, ...(events as readonly Draft[]))).toBe('words');
  });

  it.each([
    [
      'the goal of a child run, which a planner wrote',
      'run/r',
      [goal({ lineage: { root: 'r', parent: 'p' } })],
    ],
    ['an untrusted goal', 'run/r', [goal({ untrusted: true })]],
    ['the goal of a run of another kind', 'run/r', [goal({ kind: 'graph' })]],
    ['the goal of a resumed run', 'run/r', [goal({ lineage: { root: 'r', resumedFrom: 'p' } })]],
    ['an erased goal', 'run/r', [{ type: 'run.started', data: goal({}).data }]],
    ['an answer that a planner offered', 'run/r', [asked(['words', 'no']), answered]],
    ['an answer to an unknown question', 'run/r', [answered]],
    ['tool output', 'run/r', [{ type: 'tool.completed', data: {}, body: { output: 'words' } }]],
    [
      'a turn of an agent',
      'memory/talks',
      [{ type: 'episode.recorded', data: { id: 'e', at: 1 }, body: { text: 'words', source: 'agent:bot' } }],
    ],
    [
      'a turn without a source',
      'memory/talks',
      [{ type: 'episode.recorded', data: { id: 'e', at: 1 }, body: { text: 'words' } }],
    ],
  ] as const)('ignores %s', async (_, stream, events) => {
    expect(await wordsIn(stream, ...(events as readonly Draft[]))).toBeUndefined();
  });

  it.each([
    ['Anna: my phone is 1', undefined, 'Anna', 'my phone is 1'],
    ['Anna: my phone is 1', 'session 3', 'Anna', 'my phone is 1'],
    ['User: my phone is 1', undefined, undefined, 'my phone is 1'],
    ['Ada: my phone is 1', 'person:ada', undefined, 'my phone is 1'],
  ])('reads %j with the source %j as words of their speaker', async (text, source, speaker, words) => {
    const store = new MemoryEventStore({ clock: new ManualClock(), random: seededRandom(), projections: [] });
    const body = { text, ...(source === undefined ? {} : { source }) };
    const events = [{ type: 'episode.recorded', data: { id: 'e', at: 1 }, body }];
    const appends = [{ stream: 'memory/talks', events }];
    const [event] = await store.commit({ actor: 'me', sync: 'full', appends });
    const found = event && (await spokenWords(event, store));
    expect([found?.speaker, found?.text]).toEqual([speaker, words]);
  });

  it.each([
    ['Assistant: my name is Bot', undefined],
    ['Note: my phone is 1', undefined],
    ['Anna: my phone is 1', 'https://example.org'],
    ['Anna: my phone is 1', 'agent:anna'],
  ])('ignores %j with the source %j', async (text, source) => {
    const body = { text, ...(source === undefined ? {} : { source }) };
    const event = { type: 'episode.recorded', data: { id: 'e', at: 1 }, body };
    expect(await wordsIn('memory/talks', event)).toBeUndefined();
  });
});
