import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { closedAddress } from '../models/wires.ts';
import { TrustedPlace } from '../safety/trust-kit.ts';

const MAX_PAUSE_MS = 4_000;

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
  skipPauses(place);
  return place.trust();
}

/** The pauses between the attempts to reach the model take no time. */
function skipPauses({ clock }: TrustedPlace): void {
  const callAt = clock.callAt.bind(clock);
  clock.callAt = (at, callback) => {
    if (at - clock.now() > MAX_PAUSE_MS) return callAt(at, callback);
    const soon = setImmediate(callback);
    return () => clearImmediate(soon);
  };
}

test('a goal that a procedure covers is done without the model, and the answer says so', async () => {
  const place = await withoutServer();
  const { run, output } = await place.do('collect the TODOs');
  expect(run).toMatchObject({
    status: 'completed',
    lostModel: { model: 'house', code: 'models.unreachable' },
  });
  expect(output).toMatchObject({ todos: 1 });
  expect(run.budgets.used['cost_usd'] ?? 0).toBe(0);
});

test('a goal that names one tool and all its arguments is done without the model', async () => {
  const place = await withoutServer();
  const { run } = await place.do('read README.md');
  expect(run).toMatchObject({ status: 'completed', lostModel: { model: 'house' } });
});

test('the record says why rules planned, and a replay takes the same decisions without a model', async () => {
  const place = await withoutServer();
  const { run } = await place.do('collect the TODOs');
  const explained = await place.oka.runs.explain(run.id);
  expect(JSON.stringify(explained)).toMatch(
    /the model house cannot be used \(models\.unreachable\), so rules plan/,
  );
  expect(await place.oka.runs.replay(run.id, 'decision')).toMatchObject({ differences: [] });
});

test('a goal of several tasks that procedures cover is done without the model', async () => {
  const place = await withoutServer();
  const { run } = await place.do('collect the TODOs into todos.md, then read README.md');
  expect(run).toMatchObject({ kind: 'assistant', status: 'completed', lostModel: { model: 'house' } });
  expect(readFileSync(place.at('todos.md'), 'utf8')).toContain('oil the pump');
  expect(await place.oka.runs.replay(run.id, 'decision')).toMatchObject({ differences: [] });
});

test('a goal that needs the model fails with the error of the model', async () => {
  const place = await withoutServer();
  const { run } = await place.do('tell me a joke about cats');
  expect(run).toMatchObject({ status: 'failed', failure: { code: 'models.unreachable' } });
  expect(run.lostModel).toBeUndefined();
});

test('a model that the request names is not replaced by rules', async () => {
  const place = await withoutServer();
  const { run } = await place.do('collect the TODOs', { model: 'house' });
  expect(run).toMatchObject({ status: 'failed', failure: { code: 'models.unreachable' } });
});
