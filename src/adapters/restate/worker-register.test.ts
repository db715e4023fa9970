import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Announcement,
  announce,
  LOST_MS,
  type RegisteredWorker,
  viewWorkers,
} from './worker-register.ts';

const said = (id: string, policy: string, more: Partial<Announcement> = {}): Announcement => ({
  ...{ id, url: `http://${id}`, address: 'http://workers', version: '1.0.0', fingerprint: { policy } },
  ...more,
});

it('a worker with another policy is refused while one with the first policy works, and begins when that has left', () => {
  const first = announce([], said('a', 'allow'), 0);
  const second = announce(first.register, said('b', 'ask'), 1_000);
  expect(second.verdict).toEqual({ state: 'refused', differs: ['policy'] });
  const left = announce(second.register, said('a', 'allow', { leaving: 'left' }), 2_000);
  expect(announce(left.register, said('b', 'ask'), 3_000).verdict.state).toBe('alive');
});

it('a worker that replaces others waits until they have stopped', () => {
  let { register } = announce([], said('a', 'allow'), 0);
  const waits = announce(register, said('b', 'ask', { replaces: true }), 1);
  expect(waits.verdict.state).toBe('waiting');
  const stops = announce(waits.register, said('a', 'allow'), 2);
  expect(stops.verdict.state).toBe('draining');
  ({ register } = announce(stops.register, said('b', 'ask', { replaces: true }), 3));
  expect(viewWorkers(register, 3).map(({ state }) => state)).toEqual(['draining', 'waiting']);
  ({ register } = announce(register, said('a', 'allow', { leaving: 'left' }), 4));
  expect(announce(register, said('b', 'ask', { replaces: true }), 5).verdict.state).toBe('alive');
});

it('each worker that replaces others takes work in the end, however the ones before it were started', () => {
  const worker = fc.record({ policy: fc.constantFrom('x', 'y', 'z'), replaces: fc.boolean() });
  fc.assert(
    fc.property(fc.array(worker, { minLength: 1, maxLength: 6 }), (workers) => {
      let register: readonly RegisteredWorker[] = [];
      let now = 0;
      const stay: Announcement[] = [];
      workers.forEach(({ policy, replaces }, i) => {
        const newest = said(`w${i}`, policy, { replaces });
        const states: string[] = [];
        for (let beat = 0; beat < 3; beat++) {
          for (const one of [newest, ...stay]) {
            const next = announce(register, one, ++now);
            const { state } = next.verdict;
            register =
              state === 'draining'
                ? announce(next.register, { ...one, leaving: 'left' }, ++now).register
                : next.register;
            if (one === newest) states.push(state);
            else if (state === 'draining') stay.splice(stay.indexOf(one), 1);
          }
        }
        if (replaces) expect(states.at(-1)).toBe('alive');
        if (states.at(-1) === 'alive') stay.push(newest);
        else register = announce(register, { ...newest, leaving: 'left' }, ++now).register;
      });
    }),
  );
});

it('a lost worker is listed with the time when it was last heard of, until another has its address', () => {
  const place = { url: 'http://a', address: 'http://a' };
  const { register } = announce([], said('a', 'x', place), 7);
  const { register: both } = announce(register, said('b', 'x'), 7 + LOST_MS);
  expect(viewWorkers(both, 7 + LOST_MS)).toMatchObject([
    { id: 'a', state: 'lost', since: 7 },
    { id: 'b', state: 'alive' },
  ]);
  const again = announce(both, said('c', 'x', place), 8 + LOST_MS);
  expect(viewWorkers(again.register, 8 + LOST_MS).map(({ id }) => id)).toEqual(['b', 'c']);
});

it('workers that may take work at the same time always have the same fingerprint', () => {
  const step = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    policy: fc.constantFrom('x', 'y'),
    replaces: fc.boolean(),
    leaving: fc.constantFrom(undefined, undefined, undefined, 'draining' as const, 'left' as const),
    afterMs: fc.integer({ min: 0, max: LOST_MS * 1.5 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let register: readonly RegisteredWorker[] = [];
      let now = 0;
      const open = new Map<string, { policy: string; until: number }>();
      for (const { id, policy, replaces, leaving, afterMs } of steps) {
        now += afterMs;
        const more = { replaces, ...(leaving === undefined ? {} : { leaving }) };
        const { register: next, verdict } = announce(register, said(id, policy, more), now);
        register = next;
        if (verdict.state === 'alive') open.set(id, { policy, until: now + LOST_MS });
        else open.delete(id);
        const working = [...open.values()].filter(({ until }) => until > now);
        expect(new Set(working.map((one) => one.policy)).size).toBeLessThanOrEqual(1);
      }
    }),
    { numRuns: 500 },
  );
});
