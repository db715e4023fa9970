import { describe, expect, it } from 'vitest';
import {
  call,
  EFFECT,
  effectTool,
  finish,
  makeEngine,
  plannerOf,
  readTool,
} from '../../test/support/engine-kit.ts';
import { ManualClock, settle } from '../../test/support/manual-clock.ts';
import { PendingAnswer, type Tool } from './tool.ts';

const run = { kind: 'test', goal: 'a goal' };

/** Calls a tool once, then finishes with its output. */
const once = (tool: string) =>
  plannerOf(({ evidence }) => {
    const last = evidence.at(-1);
    return last === undefined ? call(tool) : finish(last.output ?? null);
  });

/** An effect that hangs until it is interrupted the first time, and then acts. */
function hangingEffect(annotations: Partial<Tool['annotations']>, interrupt: () => unknown) {
  const keys: string[] = [];
  const act = effectTool(
    'act',
    (_, { signal, idempotencyKey }) => {
      keys.push(idempotencyKey);
      if (keys.length > 1) return 'acted';
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        void interrupt();
      });
    },
    {
      annotations: { ...EFFECT, ...annotations },
    },
  );
  return { act, keys };
}

describe('an effect that is interrupted because its process stops', () => {
  it('is retried with the same key if it is repeatable', async () => {
    const leave = new AbortController();
    const { act, keys } = hangingEffect({ idempotent: true }, () => leave.abort());
    const { engine } = makeEngine(once('act'), [act]);
    const left = await engine.run(run, { signal: leave.signal });
    expect(left).toMatchObject({ intent: { call: { tool: 'act' } } });
    expect(left.ended).toBeUndefined();
    expect((await engine.resume(left.id)).output).toBe('acted');
    expect(keys).toEqual([keys[0], keys[0]]);
  });

  it('asks a person if it is not repeatable', async () => {
    const leave = new AbortController();
    const { act, keys } = hangingEffect({}, () => leave.abort());
    const { engine } = makeEngine(once('act'), [act]);
    const left = await engine.run(run, { signal: leave.signal });
    const asked = await engine.resume(left.id);
    expect(asked.waiting).toMatchObject({ for: 'answer', about: 'unknown_effect' });
    expect(keys).toHaveLength(1);
  });

  it('can be interrupted again during the retry', async () => {
    const leave = [new AbortController(), new AbortController()];
    let calls = 0;
    const act = effectTool(
      'act',
      (_, { signal }) => {
        const leaving = leave[calls++];
        if (leaving === undefined) return 'acted';
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          leaving.abort();
        });
      },
      { annotations: { ...EFFECT, idempotent: true } },
    );
    const { engine } = makeEngine(once('act'), [act]);
    const { id } = await engine.run(run, { signal: leave[0]?.signal as AbortSignal });
    expect((await engine.resume(id, { signal: leave[1]?.signal as AbortSignal })).ended).toBeUndefined();
    expect((await engine.resume(id)).output).toBe('acted');
  });

  it('has a recorded outcome, if the run is cancelled', async () => {
    let cancelled: Promise<unknown> | undefined;
    const { act } = hangingEffect({ idempotent: true }, () => {
      cancelled = engine.cancel('r1', 'me', 'not wanted');
    });
    const { engine } = makeEngine(once('act'), [act]);
    await engine.run({ ...run, id: 'r1' });
    await cancelled;
    const ended = await engine.load('r1');
    expect(ended).toMatchObject({ ended: { status: 'cancelled' }, evidence: [{ tool: 'act' }] });
    expect(ended.intent).toBeUndefined();
  });
});

describe('a run whose caller aborts', () => {
  it('is released alone after its current step, and can be resumed', async () => {
    const leave = new AbortController();
    let calls = 0;
    const look = readTool('look', (_, { signal }) => {
      calls += 1;
      if (calls > 1) return 'seen';
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        leave.abort();
      });
    });
    const { engine } = makeEngine(once('look'), [look]);
    const left = await engine.run(run, { signal: leave.signal });
    expect(left.ended).toBeUndefined();
    expect(left.owner).toBeUndefined();
    expect((await engine.resume(left.id)).output).toBe('seen');
    expect((await engine.run(run)).output).toBe('seen');
  });

  it('does not wait for its timer', async () => {
    const leave = new AbortController();
    const clock = new ManualClock();
    const sleep = readTool('sleep', () => new PendingAnswer({ kind: 'timer', at: clock.now() + 3_600_000 }));
    const { engine } = makeEngine(once('sleep'), [sleep], { clock });
    const waiting = engine.run(run, { signal: leave.signal });
    await settle();
    leave.abort();
    const left = await waiting;
    expect(left.waiting?.for).toBe('outcome');
    clock.advance(3_600_000);
    expect((await engine.resume(left.id)).ended?.status).toBe('completed');
  });

  it('releases its children too', async () => {
    const leave = new AbortController();
    const spawn = readTool(
      'spawn',
      () => new PendingAnswer({ kind: 'children', children: [{ kind: 'test', goal: 'child' }] }),
    );
    let calls = 0;
    const look = readTool('look', (_, { signal }) => {
      calls += 1;
      if (calls > 1) return 'seen';
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        leave.abort();
      });
    });
    const family = plannerOf(({ goal, evidence }) => {
      const last = evidence.at(-1);
      if (last !== undefined) return finish(last.output ?? null);
      return call(goal === 'child' ? 'look' : 'spawn');
    });
    const { engine } = makeEngine(family, [spawn, look]);
    const left = await engine.run(run, { signal: leave.signal });
    expect(left.ended).toBeUndefined();
    const [child] = await engine.parts.runs.list({ parent: left.id });
    expect(child?.status).toBe('pending');
    expect(child?.owner).toBeUndefined();
    expect((await engine.resume(left.id)).output).toEqual(['seen']);
  });
});

it('ends immediately when cancelled, whatever it waits for', async () => {
  let reached = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const hang = readTool('hang', (_, { signal }) => {
    reached();
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const { engine } = makeEngine(once('hang'), [hang]);
  const { id } = await engine.create(run);
  const working = engine.resume(id);
  await begun;
  expect((await engine.cancel(id, 'me', 'not wanted')).ended?.status).toBe('cancelled');
  await working;
  expect((await engine.load(id)).ended?.status).toBe('cancelled');
});
