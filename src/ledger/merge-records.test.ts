import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { systemClock } from '../kernel/index.ts';
import { MemoryEventStore } from './memory-event-store.ts';
import { type MergeOptions, mergeRecords } from './merge-records.ts';
import { lineOfRecord, type MirrorRecord, parseMirrorLine, placeOf } from './mirror-line.ts';
import type { EventRecord } from './types.ts';
import { ChainVerifier } from './verify.ts';

const STREAMS = ['run/a', 'run/b', 'memory/c'];

/** A ledger with events of several streams, in transactions of one to three. */
async function ledgerOf(sizes: readonly number[]): Promise<readonly EventRecord[]> {
  const store = new MemoryEventStore({ clock: { ...systemClock, now: () => 1 }, random: seededRandom(1) });
  for (const [i, size] of sizes.entries())
    await store.commit({
      actor: 'test',
      sync: 'normal',
      appends: [
        {
          stream: STREAMS[(i * 7 + size) % STREAMS.length] as string,
          events: Array.from({ length: size }, (_, j) => ({
            type: 'thing.happened',
            data: { i, j },
            body: { text: `something ${i} ${j}` },
          })),
        },
      ],
    });
  return store.readAfter(0, 1_000);
}

/** The readable records of lines. */
function recordsOf(lines: readonly string[]): readonly MirrorRecord[] {
  return lines.flatMap((line) => {
    try {
      return [parseMirrorLine(line)];
    } catch {
      return [];
    }
  });
}

function merge(lines: readonly string[], options: MergeOptions) {
  const steps = mergeRecords({ database: [], mirror: recordsOf(lines) }, options);
  const kept: MirrorRecord[] = [];
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { kept, outcome: value };
    kept.push(value);
  }
}

const damage = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 2, maxLength: 15 }),
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  byte: fc.option(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
  bit: fc.integer({ min: 0, max: 6 }),
});

it('one flipped bit or one missing event costs only what cannot be proven', async () => {
  await fc.assert(
    fc.asyncProperty(damage, async ({ sizes, place, byte, bit }) => {
      const events = await ledgerOf(sizes);
      const lines = events.map((event) => lineOfRecord({ event }));
      const at = Math.floor(place * lines.length);
      const bad = events[at] as EventRecord;
      const line = Buffer.from(lines[at] as string);
      if (byte !== null) {
        const offset = Math.floor(byte * line.length);
        line[offset] = (line[offset] as number) ^ (1 << bit);
      }
      const damaged = [
        ...lines.slice(0, at),
        ...(byte === null ? [] : [line.toString()]),
        ...lines.slice(at + 1),
      ];
      const { kept, outcome } = merge(damaged, { acceptLoss: true });
      // Without the chain value of an event, the next one and the next of its stream prove nothing.
      const nextOfStream = events.find(
        ({ stream, index }) => stream === bad.stream && index === bad.index + 1,
      );
      const unproven = new Set([bad.seq, bad.seq + 1, nextOfStream?.seq]);
      const lastEnd = events.findLast(({ seq, ends }) => ends && !unproven.has(seq))?.seq ?? 0;
      const needed = events.filter(({ seq }) => seq <= lastEnd && !unproven.has(seq));
      const found = kept.flatMap((record) => ('event' in record ? [record.event] : []));
      expect(found.map(({ seq }) => seq)).toEqual(expect.arrayContaining(needed.map(({ seq }) => seq)));
      // What is kept is as it was written.
      for (const { bodyText, salt, ...event } of found) {
        const original = events[event.seq - 1] as EventRecord;
        expect(event).toEqual({ ...original, bodyText: undefined, salt: undefined });
        expect([null, original.bodyText]).toContain(bodyText);
      }
      expect(kept.map((record) => placeOf(record).seq)).toEqual(kept.map((_, i) => i + 1));
      const holes = kept.flatMap((record) => ('archived' in record ? [record.archived.seq] : []));
      expect(outcome.lost.seqs).toEqual(holes);
      // Verification names exactly what has to be recorded as lost.
      const verifier = new ChainVerifier();
      for (const record of kept) verifier.add(record);
      const named = verifier.report().faults.length;
      expect(named).toBe(outcome.lost.skipped.length + outcome.lost.bodies.length);
    }),
    { numRuns: 100 },
  );
});

it('a copy that left the chain adds nothing after the other copy ends', async () => {
  const events = await ledgerOf([1, 1, 1, 1, 1, 1, 1, 1]);
  const other = await ledgerOf([1, 1, 1, 2, 2, 2, 2, 2]);
  const database = events.slice(0, 5).map((event) => ({ event }));
  // The first line after the common ones is damaged, so that the copies do not contradict each other there.
  const mirror = other.filter(({ seq }) => seq !== 4).map((event) => ({ event }));
  const steps = mergeRecords({ database, mirror }, { acceptLoss: true });
  let step = steps.next();
  while (!step.done) step = steps.next();
  expect(step.value.head.seq).toBe(5);
});
