import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../test/support/manual-clock.ts';
import { type CannedAnswer, modelProviderConformance } from './model-provider.conformance.ts';
import { ScriptedProvider } from './scripted-provider.ts';
import type { ModelMessage, ModelRequest } from './types.ts';

const signal = new AbortController().signal;

function scriptFor(answer: CannedAnswer): unknown {
  switch (answer.kind) {
    case 'text':
      return { turns: [{ text: answer.text }] };
    case 'json':
      return { turns: [{ json: answer.json }] };
    case 'tool_calls':
      return { turns: [{ tool_calls: answer.calls }] };
    case 'cut':
      return { turns: [{ text: answer.after, error: 'stream_cut' }] };
    case 'error':
      return { turns: [{ error: answer.error }] };
  }
}

modelProviderConformance('ScriptedProvider', (answer) => provider(scriptFor(answer)));

function provider(script: unknown, clock = new ManualClock()): ScriptedProvider {
  return new ScriptedProvider(script, clock);
}

function ask(content: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { model: 'any', messages: [{ role: 'user', content }], ...more };
}

async function textsOf(model: ScriptedProvider, requests: readonly ModelRequest[]): Promise<string[]> {
  const texts: string[] = [];
  for (const request of requests) texts.push((await model.complete(request, signal)).text);
  return texts;
}

describe('ScriptedProvider', () => {
  it('answers with the first matching turn, by text or pattern', async () => {
    const model = provider({
      turns: [
        { when: 'weather', text: 'rain' },
        { when: '/^\\d+ \\+ \\d+$/', text: 'a sum' },
        { when: '/HELLO/i', text: 'hi' },
        { text: 'anything else' },
      ],
    });
    const asked = ['the weather?', '1 + 2', 'oh hello', 'x'].map((content) => ask(content));
    expect(await textsOf(model, asked)).toEqual(['rain', 'a sum', 'hi', 'anything else']);
  });

  it('selects turns by agent and role', async () => {
    const model = provider({
      turns: [
        { agent: 'ada', text: 'for ada' },
        { role: 'critic', text: 'for the critic' },
        { text: 'for all' },
      ],
    });
    const asked = [{ agent: 'ada' }, { role: 'critic' }, { agent: 'bob' }].map((purpose) =>
      ask('x', { purpose }),
    );
    expect(await textsOf(model, [...asked, ask('x')])).toEqual([
      'for ada',
      'for the critic',
      'for all',
      'for all',
    ]);
  });

  it('uses a once turn once per run', async () => {
    const model = provider({ turns: [{ text: 'first', once: true }, { text: 'then' }] });
    const of = (run: string): ModelRequest => ask('x', { purpose: { run } });
    expect(await textsOf(model, [of('a'), of('a'), of('b'), of('a')])).toEqual([
      'first',
      'then',
      'first',
      'then',
    ]);
  });

  it('matches the triggering message, even after tool results', async () => {
    const model = provider({
      turns: [
        { when: 'read it', tool_calls: [{ tool: 'files.read', input: { path: 'a' } }], once: true },
        { when: 'read it', text: 'done' },
      ],
    });
    const start: ModelMessage[] = [{ role: 'user', content: 'please read it' }];
    const { text, toolCalls } = await model.complete({ model: 'any', messages: start }, signal);
    const messages: ModelMessage[] = [
      ...start,
      { role: 'assistant', content: text, toolCalls },
      { role: 'tool', content: 'its content', toolCallId: toolCalls[0]?.id as string },
    ];
    expect((await model.complete({ model: 'any', messages }, signal)).text).toBe('done');
  });

  it('continues after the turns in the messages when a new process resumes the run', async () => {
    const script = {
      turns: [
        { tool_calls: [{ tool: 'step', input: 1 }], once: true },
        { tool_calls: [{ tool: 'step', input: 1 }], once: true },
        { text: 'last', once: true },
      ],
    };
    const call = { id: 'c', tool: 'step', input: 1 };
    const step: ModelMessage = { role: 'assistant', content: '', toolCalls: [call] };
    const answerAfter = async (...messages: ModelMessage[]): Promise<number | string> => {
      const request = { ...ask('go'), purpose: { run: 'r' } };
      const answer = await provider(script).complete(
        { ...request, messages: [...request.messages, ...messages] },
        signal,
      );
      return answer.toolCalls.length || answer.text;
    };
    expect([await answerAfter(), await answerAfter(step), await answerAfter(step, step)]).toEqual([
      1,
      1,
      'last',
    ]);
  });

  it('does not count turns of an earlier exchange as used', async () => {
    const model = provider({ turns: [{ text: 'hi', once: true }, { text: 'again' }] });
    const messages: ModelMessage[] = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'hi' },
      { role: 'user', content: 'hello' },
    ];
    const request = { model: 'any', messages, purpose: { run: 'second' } };
    expect((await model.complete(request, signal)).text).toBe('hi');
  });

  it('lets a retry succeed after a once error', async () => {
    const model = provider({ turns: [{ error: 'rate_limited', once: true }, { text: 'now' }] });
    await expect(model.complete(ask('x'), signal)).rejects.toMatchObject({ code: 'models.rate_limited' });
    expect((await model.complete(ask('x'), signal)).text).toBe('now');
  });

  it('names the message that matches no turn', async () => {
    const model = provider({ turns: [{ when: 'other', text: 'x' }] });
    await expect(
      model.complete(ask('what now?', { purpose: { agent: 'ada' } }), signal),
    ).rejects.toMatchObject({
      code: 'models.not_configured',
      message: expect.stringContaining('"what now?" (agent ada)'),
      data: { message: 'what now?' },
    });
  });

  it('waits on the clock, and stops waiting when aborted', async () => {
    const clock = new ManualClock();
    const model = provider({ turns: [{ text: 'late', delay_ms: 500 }] }, clock);
    const controller = new AbortController();
    const answers: unknown[] = [];
    const first = model.complete(ask('x'), signal).then((answer) => answers.push(answer.text));
    const second = model.complete(ask('x'), controller.signal);
    await settle();
    expect(answers).toEqual([]);
    controller.abort(new Error('stop'));
    await expect(second).rejects.toThrow('stop');
    clock.advance(500);
    await first;
    expect(answers).toEqual(['late']);
    expect(clock.advanceToNext()).toBe(false);
  });

  it('streams word by word', async () => {
    const pieces: unknown[] = [];
    for await (const delta of provider({ turns: [{ text: ' one two\nthree ' }] }).stream(ask('x'), signal))
      pieces.push(delta.kind === 'text' ? delta.text : delta.kind);
    expect(pieces).toEqual([' one', ' two', '\nthree', ' ', 'answer']);
  });

  it('derives usage from the text alone', async () => {
    const model = provider({ turns: [{ text: '12345678' }] });
    expect(await model.complete(ask('123456789', { system: '1234' }), signal)).toMatchObject({
      usage: { inputTokens: 4, outputTokens: 2 },
    });
  });

  it('plays every end of an answer', async () => {
    const ends: readonly [object, string][] = [
      [{ text: 'half', finish: 'length' }, 'models.answer_cut'],
      [{ text: 'half', finish: 'unheard_of' }, 'models.answer_cut'],
      [{ text: 'no', finish: 'refused' }, 'models.refused'],
      [{ text: 'I call', finish: 'tool_calls' }, 'models.malformed'],
      [{ tool_calls: [{ tool: 'a', input: {} }], finish: 'length' }, 'models.malformed'],
      [{ text: ' \n' }, 'models.answer_empty'],
    ];
    for (const [turn, code] of ends)
      await expect(provider({ turns: [turn] }).complete(ask('x'), signal)).rejects.toMatchObject({ code });
  });

  it('gives the same answer to the same request in another process', async () => {
    const script = { turns: [{ tool_calls: [{ tool: 'a', input: null }] }] };
    const answers = [provider(script), provider(script)].map((model) => model.complete(ask('x'), signal));
    const [one, other] = await Promise.all(answers);
    expect(one).toEqual(other);
  });

  it('matches patterns in linear time', async () => {
    const model = provider({ turns: [{ when: '/^(a+)+$/', text: 'all a' }, { text: 'not' }] });
    expect(await textsOf(model, [ask(`${'a'.repeat(5_000)}!`)])).toEqual(['not']);
  });
});
