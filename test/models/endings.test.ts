import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfiguredModels } from '../../src/adapters/models/model-directory.ts';
import type { RemoteEntry } from '../../src/adapters/models/types.ts';
import { isOkaError, systemClock } from '../../src/kernel/index.ts';
import { askModel, type FoundModel } from '../../src/models/index.ts';
import {
  type Asked,
  brokenEnding,
  cutEnding,
  type Ending,
  endingServer,
  finishedEnding,
  WIRES,
  type Wire,
} from './ending-server.ts';
import { signal } from './wires.ts';

const random = { next: () => 0, hex: () => '00' };

async function modelAt(wire: Wire, url: string): Promise<FoundModel> {
  const entry: RemoteEntry = {
    provider: wire,
    model: 'm',
    baseUrl: url + (wire === 'ollama' ? '' : '/v1'),
    apiKey: { env: 'TEST_KEY' },
    from: 'user',
  };
  const directory = new ConfiguredModels({
    models: { house: entry },
    prices: {},
    defaultModel: 'house',
    folder: '.',
    clock: systemClock,
    random,
    environment: { get: () => 'k' },
    secret: async () => undefined,
    hasSecret: async () => false,
    attempts: 1,
  });
  return directory.find('house');
}

/** What a call gave: the text of a finished answer, or the code of a failure and the text that it kept. */
async function outcomeOf(found: FoundModel, streams: boolean) {
  const question = { messages: [{ role: 'user' as const, content: 'Write the report.' }] };
  try {
    const asked = await askModel(found, question, {
      signal,
      sentTokens: 10,
      ...(streams ? { onText: () => undefined } : {}),
    });
    return { text: asked.answer.text, spend: asked.spend };
  } catch (error) {
    if (!isOkaError(error)) throw error;
    return { code: error.code, received: error.data['received'], spend: error.data['spend'] };
  }
}

/** Some parts that are cut at the limit, then any end. */
const endings = (wire: Wire): fc.Arbitrary<{ cuts: Ending[]; last: Ending; isFinished: boolean }> =>
  fc
    .record({ cuts: fc.array(cutEnding(wire), { maxLength: 4 }), isFinished: fc.boolean() })
    .chain((before) =>
      (before.isFinished ? finishedEnding(wire) : brokenEnding(wire)).map((last) => ({ ...before, last })),
    );

describe.each(WIRES)('an answer over the wire of %s', (wire) => {
  it('is a result only if it is finished, whatever it ends with', async () => {
    await fc.assert(
      fc.asyncProperty(endings(wire), fc.boolean(), async ({ cuts, last, isFinished }, streams) => {
        const asked: Asked[] = [];
        const found = await modelAt(wire, await endingServer([...cuts, last], asked));
        const outcome = await outcomeOf(found, streams);
        const tooMany = cuts.length > 3;
        if (isFinished && !tooMany)
          expect(outcome).toMatchObject({ text: [...cuts, last].map(({ text }) => text).join('') });
        else expect(outcome).toMatchObject({ code: expect.stringMatching(/^models\./) });
        if (!isFinished || tooMany) expect(outcome).not.toHaveProperty('text');
        // What was received before the failure is kept.
        if (!('text' in outcome) && cuts.length > 0)
          expect(outcome.received).toContain(
            cuts
              .slice(0, 4)
              .map(({ text }) => text)
              .join(''),
          );
        expect(asked).toHaveLength(Math.min(cuts.length, 3) + 1);
        expect(outcome.spend).toMatchObject({ model_calls: asked.length });
      }),
      { numRuns: 12 },
    );
  });

  it.each([
    ['models.answer_empty', { text: ' \n', reason: 'stop' }],
    ['models.answer_cut', { text: 'Half', reason: 'unheard_of' }],
    ['models.refused', { text: 'No.', reason: 'refused' }],
    ['models.malformed', { text: 'I call it.', reason: 'tool_calls' }],
  ])('fails with %s', async (code, { text, reason }) => {
    const isAnthropic = wire === 'anthropic';
    const own: Record<string, string> = {
      refused: isAnthropic ? 'refusal' : 'content_filter',
      stop: isAnthropic ? 'end_turn' : 'stop',
      tool_calls: isAnthropic ? 'tool_use' : 'tool_calls',
    };
    const ending = { text, reason: reason === null ? null : (own[reason] ?? reason) };
    const found = await modelAt(wire, await endingServer([ending]));
    for (const streams of [true, false]) expect(await outcomeOf(found, streams)).toMatchObject({ code });
  });

  it('fails if it ends without a reason', async () => {
    const found = await modelAt(wire, await endingServer([{ text: 'Half', reason: null }]));
    for (const streams of [true, false]) {
      const { code } = await outcomeOf(found, streams);
      expect(['models.answer_cut', 'models.malformed']).toContain(code);
    }
  });

  it('is continued where it was cut, and a cut in a tool call is not', async () => {
    const cut = wire === 'anthropic' ? 'max_tokens' : 'length';
    const asked: Asked[] = [];
    const finish = wire === 'anthropic' ? 'end_turn' : 'stop';
    const url = await endingServer(
      [
        { text: 'One, ', reason: cut },
        { text: 'two.', reason: finish },
      ],
      asked,
    );
    expect(await outcomeOf(await modelAt(wire, url), true)).toMatchObject({ text: 'One, two.' });
    expect(JSON.stringify(asked[1]?.messages)).toContain('One, ');
    if (wire === 'ollama') return; // Its server sends whole calls only.
    const called = await endingServer([{ text: '', reason: cut, call: '{"path": "a' }]);
    expect(await outcomeOf(await modelAt(wire, called), true)).toMatchObject({ code: 'models.malformed' });
  });
});
