import { describe, expect, it } from 'vitest';
import type { ManualClock } from '../../test/support/manual-clock.ts';
import type { EventDraft, EventStore } from '../ledger/index.ts';
import type { ScheduleStore } from './ports.ts';
import { scheduleEvent, scheduleStream } from './schedule-events.ts';

const POLICIES = { misfire: 'one', overlap: 'queue', dst: 'skip' } as const;

/** Conformance suite of schedule stores, on top of the event store that folds their tables. */
export function scheduleStoreConformance(
  name: string,
  make: () => { schedules: ScheduleStore; events: EventStore; clock: ManualClock },
): void {
  const append = async (events: EventStore, schedule: string, ...drafts: EventDraft[]): Promise<void> => {
    const appends = [{ stream: scheduleStream(schedule), events: drafts }];
    await events.commit({ actor: 'test', sync: 'normal', appends });
  };
  const added = (graph: string): EventDraft =>
    scheduleEvent(
      'schedule.added',
      { graph, cron: '0 9 * * *', zone: 'UTC', ...POLICIES, cursor: 5, by: 'me' },
      { input: { to: ['a', 'b'] } },
    );
  const fired = (firing: string, run: string, cursor: number): EventDraft =>
    scheduleEvent('schedule.fired', { firing, plannedAt: cursor, run, reason: 'due', cursor, runs: [run] });

  describe(`${name} as a schedule store`, () => {
    it('returns schedules as added, by id', async () => {
      const { schedules, events, clock } = make();
      await append(events, 'b-1', added('b'));
      const change = { graph: 'a', onChange: 'docs', ...POLICIES, cursor: 5, by: 'me' };
      await append(events, 'a-1', scheduleEvent('schedule.added', change));
      expect((await schedules.list()).map(({ id }) => id)).toEqual(['a-1', 'b-1']);
      expect(await schedules.get('b-1')).toEqual({
        id: 'b-1',
        graph: 'b',
        trigger: { cron: '0 9 * * *', zone: 'UTC' },
        policies: POLICIES,
        input: { to: ['a', 'b'] },
        inputErased: false,
        enabled: true,
        cursor: 5,
        runs: [],
        addedAt: clock.now(),
        addedBy: 'me',
        index: 0,
      });
      const watching = await schedules.get('a-1');
      expect(watching?.trigger).toEqual({ onChange: 'docs' });
      expect(watching).not.toHaveProperty('input');
      expect(await schedules.get('c-1')).toBeUndefined();
    });

    it('applies the events of a schedule', async () => {
      const { schedules, events, clock } = make();
      await append(events, 'a-1', added('a'), fired('a-1@1', 'r1', 10));
      const queued = { firing: 'a-1@2', plannedAt: 20, reason: 'late' } as const;
      await append(events, 'a-1', scheduleEvent('schedule.queued', { ...queued, cursor: 20 }));
      await append(events, 'a-1', scheduleEvent('schedule.disabled', { by: 'me' }));
      expect(await schedules.get('a-1')).toMatchObject({
        enabled: false,
        cursor: 20,
        queued,
        runs: ['r1'],
        lastFiredAt: clock.now(),
        index: 3,
      });
      await append(events, 'a-1', scheduleEvent('schedule.enabled', { by: 'me', cursor: 30 }));
      const skipped = {
        firing: 'a-1@2',
        plannedAt: 20,
        why: 'deleted',
        count: 1,
        until: 20,
        cursor: 30,
      } as const;
      await append(events, 'a-1', scheduleEvent('schedule.skipped', { ...skipped, queued: true }));
      const now = await schedules.get('a-1');
      expect(now).toMatchObject({ enabled: true, cursor: 30, index: 5 });
      expect(now).not.toHaveProperty('queued');
    });

    it('returns the newest firings first, also of a deleted schedule', async () => {
      const { schedules, events, clock } = make();
      await append(events, 'a-1', added('a'), fired('a-1@1', 'r1', 10));
      clock.advance(5);
      const missed = {
        firing: 'a-1@2',
        plannedAt: 20,
        why: 'misfire',
        count: 7,
        more: true,
        until: 80,
      } as const;
      await append(events, 'a-1', scheduleEvent('schedule.skipped', { ...missed, cursor: 80 }));
      await append(events, 'a-1', fired('a-1@9', 'r2', 90));
      await append(events, 'b-1', added('b'), fired('b-1@1', 'r3', 10));
      await append(events, 'a-1', scheduleEvent('schedule.deleted', { by: 'me' }));
      expect(await schedules.get('a-1')).toBeUndefined();
      expect((await schedules.firings('a-1', 2)).map(({ id }) => id)).toEqual(['a-1@9', 'a-1@2']);
      expect((await schedules.firings('a-1', 10))[1]).toEqual({
        id: 'a-1@2',
        schedule: 'a-1',
        status: 'skipped',
        why: 'misfire',
        plannedAt: 20,
        decidedAt: clock.now(),
        count: 7,
        more: true,
        until: 80,
      });
    });

    it('returns a firing with its latest decision', async () => {
      const { schedules, events } = make();
      const queued = { firing: 'a-1@1', plannedAt: 10, reason: 'late', cursor: 10 } as const;
      await append(events, 'a-1', added('a'), scheduleEvent('schedule.queued', queued));
      expect(await schedules.firing('a-1@1')).toMatchObject({ status: 'queued', why: 'late' });
      await append(events, 'a-1', fired('a-1@1', 'r1', 10));
      expect(await schedules.firing('a-1@1')).toMatchObject({
        status: 'fired',
        why: 'due',
        run: 'r1',
        count: 1,
      });
      expect(await schedules.firing('a-1@2')).toBeUndefined();
      expect(await schedules.firings('a-1', 10)).toHaveLength(1);
    });
  });
}
