import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../test/support/manual-clock.ts';
import { collectAnswer } from './collect-answer.ts';
import { fallbackProviders, withModel } from './fallback-providers.ts';
import { modelError } from './model-error.ts';
import { type CannedAnswer, modelProviderConformance } from './model-provider.conformance.ts';
import type { ModelProvider } from './ports.ts';
import { ScriptedProvider } from './scripted-provider.ts';
import type { ModelRequest } from './types.ts';
import { withRetry } from './with-retry.ts';

const signal = new AbortController().signal;
const request: ModelRequest = { model: 'm', messages: [{ role: 'user', content: 'x' }] };
const random = { next: () => 0.5, hex: () => '00' };

function scripted(...turns: unknown[]): ScriptedProvider {
  return new ScriptedProvider({ turns }, new ManualClock());
}

/** Fails with each error in turn, then answers. */
function failing(...errors: Error[]): ModelProvider & { asked: number } {
  const answers = scripted({ text: 'at last' });
  const provider = {
    name: 'failing',
    asked: 0,
    complete: async (...args: Parameters<ModelProvider['complete']>) => {
      const error = errors[provider.asked++];
      if (error) throw error;
      return answers.complete(...args);
    },
    async *stream(...args: Parameters<ModelProvider['stream']>) {
      const error = errors[provider.asked++];
      if (error) throw error;
      yield* answers.stream(...args);
    },
  };
  return provider;
}

const limited = (retryAfterMs?: number): Error =>
  modelError('models.rate_limited', 'slow down.', retryAfterMs === undefined ? {} : { retryAfterMs });

describe('withRetry', () => {
  it('retries after the pause that the provider requests', async () => {
    const clock = new ManualClock();
    const inner = failing(limited(7_000));
    const answer = withRetry(inner, { clock, random }).complete(request, signal);
    await settle();
    clock.advance(6_999);
    await settle();
    expect(inner.asked).toBe(1);
    clock.advance(1);
    expect((await answer).text).toBe('at last');
  });

  it('backs off if the provider requests no pause', async () => {
    const clock = new ManualClock();
    const inner = failing(limited(), limited());
    const start = clock.now();
    const answer = collectAnswer(withRetry(inner, { clock, random }).stream(request, signal));
    const pauses: number[] = [];
    for (let i = 0; i < 2; i++) {
      await settle();
      clock.advanceToNext();
      pauses.push(clock.now() - start);
    }
    expect((await answer).text).toBe('at last');
    expect(pauses).toEqual([375, 375 + 750]);
  });

  it.each([
    ['a permanent failure', [modelError('models.refused', 'no.')], 1],
    ['a pause longer than the maximum', [limited(3_600_000)], 1],
    ['the last attempt', [limited(0), limited(0), limited(0), limited(0)], 3],
    ['an error that is not a provider error', [new TypeError('bug')], 1],
  ])('gives up at %s', async (_, errors, asked) => {
    const clock = new ManualClock();
    const inner = failing(...errors);
    const failed = expect(withRetry(inner, { clock, random }).complete(request, signal)).rejects.toBe(
      errors[asked - 1],
    );
    for (let i = 0; i < 5; i++) {
      await settle();
      clock.advanceToNext();
    }
    await failed;
    expect(inner.asked).toBe(asked);
  });

  it('leaves a longer pause to a caller that waits itself', async () => {
    const inner = failing(limited(3_000));
    const waiting = { ...request, purpose: { maxPauseMs: 2_000 } };
    const retried = withRetry(inner, { clock: new ManualClock(), random });
    await expect(retried.complete(waiting, signal)).rejects.toMatchObject({ data: { retryAfterMs: 3_000 } });
    await expect(
      collectAnswer(
        withRetry(failing(limited(3_000)), { clock: new ManualClock(), random }).stream(waiting, signal),
      ),
    ).rejects.toMatchObject({ code: 'models.rate_limited' });
    expect(inner.asked).toBe(1);
  });

  it('does not restart a stream after its first piece', async () => {
    const inner = scripted({ text: 'half', error: 'stream_cut', once: true }, { text: 'whole' });
    const stream = withRetry(inner, { clock: new ManualClock(), random }).stream(request, signal);
    await expect(collectAnswer(stream)).rejects.toMatchObject({ code: 'models.stream_cut' });
  });

  it('stops waiting when aborted', async () => {
    const clock = new ManualClock();
    const controller = new AbortController();
    const answer = withRetry(failing(limited()), { clock, random }).complete(request, controller.signal);
    const stopped = expect(answer).rejects.toThrow('stop');
    await settle();
    controller.abort(new Error('stop'));
    await stopped;
    expect(clock.advanceToNext()).toBe(false);
  });
});

describe('fallbackProviders', () => {
  const broken = modelError('models.not_configured', 'no key.');

  it('tries the next provider if one is not configured, exceeds a limit or fails transiently', async () => {
    const late = modelError('models.timed_out', 'late.');
    const large = modelError('models.answer_too_large', 'large.');
    for (const error of [broken, late, large, limited()]) {
      const chain = fallbackProviders([failing(error), scripted({ text: 'second' })]);
      expect((await chain.complete(request, signal)).text).toBe('second');
      const again = fallbackProviders([failing(error), scripted({ text: 'second' })]);
      expect((await collectAnswer(again.stream(request, signal))).text).toBe('second');
    }
  });

  it('treats any other failure as final', async () => {
    const next = failing();
    const chain = fallbackProviders([failing(modelError('models.refused', 'no.')), next]);
    await expect(chain.complete(request, signal)).rejects.toMatchObject({ code: 'models.refused' });
    expect(next.asked).toBe(0);
  });

  it('fails with the last failure, with that of a busy provider if there is one, and with not_configured for an empty list', async () => {
    const chain = fallbackProviders([failing(broken), failing(limited())]);
    await expect(chain.complete(request, signal)).rejects.toMatchObject({ code: 'models.rate_limited' });
    const busy = modelError('models.rate_limited', 'slow down.', { busy: 'it is rate limited' });
    const list = fallbackProviders([failing(busy), failing(broken)]);
    await expect(list.complete(request, signal)).rejects.toBe(busy);
    await expect(fallbackProviders([]).complete(request, signal)).rejects.toMatchObject({
      code: 'models.not_configured',
    });
  });

  it('does not switch providers in the middle of a stream', async () => {
    const cut = scripted({ text: 'half', error: 'stream_cut' });
    const chain = fallbackProviders([cut, scripted({ text: 'whole' })]);
    await expect(collectAnswer(chain.stream(request, signal))).rejects.toMatchObject({
      code: 'models.stream_cut',
    });
  });

  it('requests each member’s own model', async () => {
    const chain = fallbackProviders([failing(broken), withModel(scripted({ text: 'x' }), 'other')]);
    expect((await chain.complete(request, signal)).model).toBe('other');
  });

  it('embeds with the first member that supports it', async () => {
    const embed = (texts: readonly string[]): Promise<number[][]> =>
      Promise.resolve(texts.map((text) => [text.length]));
    const chain = fallbackProviders([failing(), { ...failing(), embed }]);
    expect(await chain.embed?.(['a', 'bb'], signal)).toEqual([[1], [2]]);
    expect(fallbackProviders([failing()]).embed).toBeUndefined();
  });
});

const turnFor = (answer: CannedAnswer): unknown => {
  if (answer.kind === 'tool_calls') return { tool_calls: answer.calls };
  if (answer.kind === 'cut') return { text: answer.after, error: 'stream_cut' };
  if (answer.kind === 'error') return { error: answer.error };
  return answer.kind === 'text' ? { text: answer.text } : { json: answer.json };
};

modelProviderConformance('fallbackProviders of retried providers', (answer) => {
  const inner = withRetry(scripted(turnFor(answer)), { clock: new ManualClock(), random, attempts: 1 });
  return { ...fallbackProviders([inner]), name: 'scripted' };
});
