import { describe, expect, it } from 'vitest';
import { isOkaError } from '../kernel/index.ts';
import type { EventStore } from './ports.ts';
import type { Commit, EventDraft } from './types.ts';
import { ChainVerifier } from './verify.ts';

const draft = (n: number, body?: string): EventDraft => ({
  type: 'thing.happened',
  data: { n },
  ...(body === undefined ? {} : { body: { text: body } }),
});

const append = (stream: string, events: EventDraft[], expectedIndex?: number): Commit => ({
  actor: 'test',
  sync: 'normal',
  appends: [{ stream, events, ...(expectedIndex === undefined ? {} : { expectedIndex }) }],
});

/** Requirements for every event store. `make` opens a fresh, empty one. */
export function eventStoreConformance(name: string, make: () => EventStore | Promise<EventStore>): void {
  describe(`${name} as an event store`, () => {
    it('numbers events densely, in order, per stream and over all', async () => {
      const store = await make();
      await store.commit(append('a', [draft(1), draft(2)], 0));
      await store.commit(append('b', [draft(3)], 0));
      await store.commit(append('a', [draft(4)], 2));
      const all = await store.readAfter(0, 100);
      expect(all.map((event) => [event.seq, event.stream, event.index, event.data['n']])).toEqual([
        [1, 'a', 0, 1],
        [2, 'a', 1, 2],
        [3, 'b', 0, 3],
        [4, 'a', 2, 4],
      ]);
      expect((await store.read('a', 1)).map((event) => event.data['n'])).toEqual([2, 4]);
      expect(await store.read('nothing')).toEqual([]);
      expect((await store.readAfter(1, 2)).map((event) => event.seq)).toEqual([2, 3]);
    });

    it('returns bodies as stored, decoded', async () => {
      const store = await make();
      const [stored] = await store.commit(append('a', [draft(1, 'grüße \u0000 😀')]));
      expect(stored?.body).toEqual({ text: 'grüße \u0000 😀' });
      expect((await store.read('a'))[0]?.body).toEqual({ text: 'grüße \u0000 😀' });
    });

    it('rejects a commit that expects another index and stores nothing of it', async () => {
      const store = await make();
      await store.commit(append('a', [draft(1)], 0));
      const refused = store.commit({
        actor: 'test',
        sync: 'full',
        appends: [
          { stream: 'b', events: [draft(2)] },
          { stream: 'a', expectedIndex: 0, events: [draft(3)] },
        ],
      });
      await expect(refused).rejects.toSatisfy((error) => isOkaError(error, 'ledger.conflict'));
      await expect(refused).rejects.toMatchObject({ data: { stream: 'a', expected: 0, actual: 1 } });
      expect(await store.read('b')).toEqual([]);
      expect((await store.head()).seq).toBe(1);
    });

    it('stores concurrent commits in order; a rejected one does not affect the others', async () => {
      const store = await make();
      const outcomes = await Promise.allSettled([
        store.commit(append('a', [draft(1)], 0)),
        store.commit(append('a', [draft(2)], 5)),
        store.commit(append('b', [draft(3)], 0)),
        store.commit(append('a', [draft(4)], 1)),
        store.commit(append('a', [draft(5)], 6)),
        store.commit(append('c', [draft(6)])),
      ]);
      expect(outcomes.map((outcome) => outcome.status)).toEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect((await store.readAfter(0, 10)).map((event) => event.data['n'])).toEqual([1, 3, 4, 6]);
    });

    it('gives an index to exactly one of two writers', async () => {
      const store = await make();
      const outcomes = await Promise.allSettled([
        store.commit(append('run/x', [draft(1)], 0)),
        store.commit(append('run/x', [draft(2)], 0)),
      ]);
      expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    });

    it('chains every event, and the head is the last chain value', async () => {
      const store = await make();
      for (let i = 0; i < 20; i++)
        await store.commit(append(i % 3 === 0 ? 'a' : 'b', [draft(i, `text ${i}`), draft(i)]));
      const verifier = new ChainVerifier();
      for (const event of await store.readAfter(0, 100)) verifier.add({ event });
      const report = verifier.report();
      expect(report.faults).toEqual([]);
      expect(report.head).toEqual(await store.head());
      expect(report.head.seq).toBe(40);
      expect(await store.end('a')).toMatchObject({ index: 13 });
      expect(await store.end('nothing')).toEqual({ index: -1, chain: '' });
    });

    it('notifies subscribers of each transaction but not of rejected commits', async () => {
      const store = await make();
      const seen: number[] = [];
      const stop = store.subscribe((events) => seen.push(...events.map((event) => event.seq)));
      await store.commit(append('a', [draft(1), draft(2)]));
      await store.commit(append('a', [draft(3)], 9)).catch(() => undefined);
      stop();
      await store.commit(append('a', [draft(4)]));
      await store.sync();
      expect(seen).toEqual([1, 2]);
    });

    it('rejects values that are not JSON and stays usable', async () => {
      const store = await make();
      const bad = { type: 'x.y', data: { n: Number.NaN } } as EventDraft;
      await expect(store.commit(append('a', [bad]))).rejects.toMatchObject({ code: 'kernel.not_canonical' });
      const outcomes = await Promise.allSettled([
        store.commit(append('a', [bad])),
        store.commit(append('b', [draft(1)])),
      ]);
      expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled']);
    });
  });
}
