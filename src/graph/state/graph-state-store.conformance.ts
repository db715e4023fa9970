import { describe, expect, it } from 'vitest';
import { bodyErased, type EventStore } from '../../ledger/index.ts';
import { graphStateStream, stateWritten } from './graph-state-projection.ts';
import type { GraphStateStore } from './graph-state-store.ts';

/** The behaviour that every store of graph state must have. */
export function graphStateStoreConformance(
  name: string,
  make: () => { readonly events: EventStore; readonly state: GraphStateStore },
): void {
  describe(`${name}: graph state`, () => {
    const write = async (events: EventStore, graph: string, key: string, value: never, run: string) => {
      const event = stateWritten({ key, value, run, step: 1 });
      const appends = [{ stream: graphStateStream(graph), events: [event] }];
      return events.commit({ actor: 'x', sync: 'normal', appends });
    };

    it('returns the newest value of a key, separately for each graph', async () => {
      const { events, state } = make();
      await write(events, 'g', 'count', 1 as never, 'r1');
      await write(events, 'g', 'count', { n: 2 } as never, 'r2');
      await write(events, 'other', 'count', 9 as never, 'r3');
      expect(await state.get('g', 'count')).toMatchObject({ key: 'count', value: { n: 2 }, run: 'r2' });
      expect(await state.get('g', 'absent')).toBeUndefined();
      await write(events, 'g', 'a', null as never, 'r4');
      expect((await state.list('g')).map(({ key, value }) => [key, value])).toEqual([
        ['a', null],
        ['count', { n: 2 }],
      ]);
    });

    it('lists the earlier values of a key, newest first', async () => {
      const { events, state } = make();
      for (const n of [1, 2, 3]) await write(events, 'g', 'k', n as never, `r${n}`);
      expect((await state.history('g', 'k', 2)).map(({ value, run }) => [value, run])).toEqual([
        [3, 'r3'],
        [2, 'r2'],
      ]);
    });

    it('does not return an erased value', async () => {
      const { events, state } = make();
      await write(events, 'g', 'k', 'old' as never, 'r1');
      const [stored] = await write(events, 'g', 'k', 'secret' as never, 'r2');
      const tombstone = bodyErased(
        [{ stream: graphStateStream('g'), index: stored?.index ?? 0 }],
        'asked for',
      );
      await events.commit({ actor: 'x', sync: 'full', appends: [{ stream: 'system', events: [tombstone] }] });
      expect(await state.get('g', 'k')).toBeUndefined();
      expect((await state.history('g', 'k', 9)).map(({ value }) => value)).toEqual(['old']);
    });
  });
}
