import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { closedAddress } from '../models/wires.ts';
import { TrustedPlace } from '../safety/trust-kit.ts';
import { settle } from '../support/manual-clock.ts';

/** A workspace whose default model is at an address where nothing listens. */
async function withoutServer(): Promise<TrustedPlace> {
  const place = new TrustedPlace();
  const house = {
    provider: 'openai-compatible',
    model: 'model-1',
    base_url: `${await closedAddress()}/v1`,
  };
  mkdirSync(place.home, { recursive: true });
  writeFileSync(join(place.home, 'config.json'), JSON.stringify({ models: { house } }));
  place.put('src/pump.ts', '// TODO: oil the pump\n');
  return place.trust();
}

/** Pursues a goal; the pauses between the attempts to reach the model take no time. */
async function pursue(place: TrustedPlace, ...asked: Parameters<TrustedPlace['do']>): Promise<RunAnswer> {
  let isOver = false;
  const answer = place.do(...asked).finally(() => {
    isOver = true;
  });
  for (let seconds = 0; !isOver; ) {
    await settle();
    // More would be longer than the limits of the tools.
    if (seconds++ < 10) place.clock.advance(1_000);
  }
  return answer;
}

test('a goal that a procedure reaches is done without the model, and the answer says so', async () => {
  const place = await withoutServer();
  const { run, output } = await pursue(place, 'collect the TODOs');
  expect(run).toMatchObject({
    status: 'completed',
    lostModel: { model: 'house', code: 'models.unreachable' },
  });
  expect(output).toMatchObject({ todos: 1 });
  expect(run.budgets.used['cost_usd'] ?? 0).toBe(0);
});

test('a goal that names one tool and all its arguments is done without the model', async () => {
  const place = await withoutServer();
  const { run } = await pursue(place, 'read README.md');
  expect(run).toMatchObject({ status: 'completed', lostModel: { model: 'house' } });
});

test('the record says why rules planned, and a replay decides the same without a model', async () => {
  const place = await withoutServer();
  const { run } = await pursue(place, 'collect the TODOs');
  const explained = await place.oka.runs.explain(run.id);
  expect(JSON.stringify(explained)).toMatch(
    /the model house cannot be used \(models\.unreachable\), so rules plan/,
  );
  expect(await place.oka.runs.replay(run.id, 'decision')).toMatchObject({ differences: [] });
});

test('a goal of several tasks that procedures understand is done without the model', async () => {
  const place = await withoutServer();
  const { run } = await pursue(place, 'collect the TODOs into todos.md, then read README.md');
  expect(run).toMatchObject({ kind: 'assistant', status: 'completed', lostModel: { model: 'house' } });
  expect(readFileSync(place.at('todos.md'), 'utf8')).toContain('oil the pump');
  expect(await place.oka.runs.replay(run.id, 'decision')).toMatchObject({ differences: [] });
});

test('a goal that needs the model fails with the reason of the model', async () => {
  const place = await withoutServer();
  const { run } = await pursue(place, 'tell me a joke about cats');
  expect(run).toMatchObject({ status: 'failed', failure: { code: 'models.unreachable' } });
  expect(run.lostModel).toBeUndefined();
});

test('a model that the request names is not replaced by rules', async () => {
  const place = await withoutServer();
  const { run } = await pursue(place, 'collect the TODOs', { model: 'house' });
  expect(run).toMatchObject({ status: 'failed', failure: { code: 'models.unreachable' } });
});
