import fc from 'fast-check';
import { expect, it } from 'vitest';
import { call, effectTool, finish, makeEngine, plannerOf, scripted } from '../../test/support/engine-kit.ts';
import { digestOfJson, idOfKey, isOkaError, OkaError } from '../kernel/index.ts';

it('a start acts once for each key, and only for the request that came first with it', async () => {
  const start = fc.record({
    key: fc.string({ minLength: 1, maxLength: 3 }),
    goal: fc.constantFrom('a', 'b'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(start, { maxLength: 30 }), fc.boolean(), async (starts, atOnce) => {
      const acted: string[] = [];
      const act = effectTool('act', (_, { runId }) => {
        acted.push(runId);
        return 'acted';
      });
      const planner = scripted(call('act'), finish());
      const { engine } = makeEngine(planner, [act]);
      const first = new Map<string, string>();
      for (const { key, goal } of starts) if (!first.has(key)) first.set(key, goal);
      const run = async ({ key, goal }: (typeof starts)[number]): Promise<void> => {
        const request = { kind: 'test', goal, id: idOfKey(key), asked: digestOfJson([goal]) };
        const answer = await engine.run(request).catch((error: unknown) => {
          if (isOkaError(error, 'engine.key_reused')) return 'refused';
          throw error;
        });
        if (answer === 'refused') expect(goal).not.toBe(first.get(key));
        else expect(answer).toMatchObject({ id: idOfKey(key), goal: first.get(key) });
      };
      if (atOnce) await Promise.all(starts.map(run));
      else for (const one of starts) await run(one);
      expect(acted.sort()).toEqual([...first.keys()].map(idOfKey).sort());
    }),
    { numRuns: 60 },
  );
});

it('different keys have different ids, and an id is its own key', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (a, b) => {
      expect(idOfKey(a)).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/);
      expect(idOfKey(idOfKey(a))).toBe(idOfKey(a));
      expect(idOfKey(a) === idOfKey(b)).toBe(a === b);
    }),
  );
});

it('a start says that it is unknown what became of it when the ledger goes away, and with which key to ask again', async () => {
  const { engine } = makeEngine(
    plannerOf(() => finish()),
    [],
  );
  const { events } = engine.parts;
  const commit = events.commit.bind(events);
  let isLost = true;
  events.commit = async (request) => {
    const stored = await commit(request);
    if (isLost) throw new OkaError('ledger.unavailable', 'The ledger is away.', { transient: true });
    return stored;
  };
  const id = idOfKey('order 7');
  const request = { kind: 'test', goal: 'a', id, asked: digestOfJson(['a']) };
  await expect(engine.run(request)).rejects.toMatchObject({
    code: 'engine.start_unknown',
    data: { run: id, key: id },
  });
  isLost = false;
  expect(await engine.run(request)).toMatchObject({ id, ended: { status: 'completed' } });
});
