import { describe, expect, it } from 'vitest';
import type { ManualClock } from '../../test/support/manual-clock.ts';
import type { EventStore } from '../ledger/index.ts';
import type { Cache, MemoryStore, RunStore } from './ports.ts';
import { runEvent, runStream } from './run-events.ts';
import type { RunState } from './run-state.ts';
import type { RunId } from './types.ts';

async function started(events: EventStore, id: string, parent?: string): Promise<void> {
  const lineage = {
    root: (parent ?? id) as RunId,
    depth: 0,
    origin: id,
    ...(parent ? { parent: parent as RunId } : {}),
  };
  const pins = { graph: 'g' as never, planner: 'p/1', tools: 't' as never, policy: 'default' };
  const data = {
    kind: 'test',
    state: 'a',
    pins,
    limits: {},
    lineage,
    owner: 'me',
    epoch: 1,
    status: 'running' as const,
  };
  await events.commit({
    actor: 'test',
    sync: 'normal',
    appends: [
      {
        stream: runStream(id),
        expectedIndex: 0,
        events: [runEvent('run.started', data, { goal: `goal ${id}`, vars: {} })],
      },
    ],
  });
}

/** Requirements for every run store, on top of the event store that folds its tables. */
export function runStoreConformance(
  name: string,
  make: () => { runs: RunStore; events: EventStore; clock: ManualClock },
): void {
  describe(`${name} as a run store`, () => {
    it('lists runs, newest first, by any filter', async () => {
      const { runs, events, clock } = make();
      for (const id of ['r1', 'r2', 'r3']) {
        await started(events, id, id === 'r3' ? 'r1' : undefined);
        clock.advance(10);
      }
      await events.commit({
        actor: 'x',
        sync: 'normal',
        appends: [
          {
            stream: 'run/r2',
            events: [
              runEvent(
                'run.failed',
                { step: 1, from: 'a', state: 'failed', code: 'x.y', status: 'failed' },
                { failure: { code: 'x.y', message: 'no' }, rationale: '' },
              ),
            ],
          },
        ],
      });
      expect((await runs.list({})).map((run) => run.id)).toEqual(['r3', 'r2', 'r1']);
      expect((await runs.list({ limit: 1 })).map((run) => run.id)).toEqual(['r3']);
      expect((await runs.list({ status: 'running' })).map((run) => run.id)).toEqual(['r3', 'r1']);
      expect((await runs.list({ parent: 'r1' as RunId })).map((run) => run.id)).toEqual(['r3']);
      expect((await runs.list({ root: 'r1' as RunId })).map((run) => run.id)).toEqual(['r3', 'r1']);
      expect(await runs.get('r2')).toMatchObject({ goal: 'goal r2', status: 'failed', failureCode: 'x.y' });
      expect(await runs.get('nope')).toBeUndefined();
    });

    it('returns the artifacts of a tree, the oldest run first', async () => {
      const { runs, events, clock } = make();
      for (const id of ['r1', 'r3', 'r2', 'other']) {
        await started(events, id, id === 'r1' || id === 'other' ? undefined : 'r1');
        clock.advance(10);
      }
      const emit = (run: string, ...names: string[]) => {
        const body = names.map((name) => ({
          digest: `d-${name}` as never,
          bytes: 1,
          mediaType: 'text/plain',
          name,
        }));
        const draft = runEvent('artifacts.emitted', { step: 1, tool: 't', count: body.length }, body);
        return { stream: runStream(run), events: [draft] };
      };
      const appends = [emit('r2', 'c', 'd'), emit('other', 'x'), emit('r1', 'a'), emit('r3', 'b')];
      await events.commit({ actor: 'x', sync: 'normal', appends });
      const found = await runs.artifacts('r1' as RunId);
      expect(found.map(({ run, name }) => [run, name])).toEqual([
        ['r1', 'a'],
        ['r3', 'b'],
        ['r2', 'c'],
        ['r2', 'd'],
      ]);
      expect(found[0]).toEqual({ run: 'r1', digest: 'd-a', bytes: 1, mediaType: 'text/plain', name: 'a' });
    });

    it('returns approvals with their arguments as values', async () => {
      const { runs, events } = make();
      await started(events, 'r1');
      const asked = {
        id: 'a1',
        step: 1,
        state: 'a',
        tool: 't',
        argumentsHash: 'h',
        risk: 'high' as const,
        why: 'risky',
        requestedAt: 1,
        expiresAt: 99,
        status: 'waiting' as const,
      };
      await events.commit({
        actor: 'x',
        sync: 'full',
        appends: [
          {
            stream: 'run/r1',
            events: [runEvent('approval.requested', asked, { rationale: 'r', arguments: { a: [1, 'x'] } })],
          },
        ],
      });
      expect(await runs.approvals({ status: 'pending' })).toMatchObject([
        { id: 'a1', run: 'r1', tool: 't', arguments: { a: [1, 'x'] }, expiresAt: 99 },
      ]);
      expect(await runs.approvals({ run: 'other' })).toEqual([]);
      expect((await runs.get('r1'))?.status).toBe('waiting');
      await events.commit({
        actor: 'x',
        sync: 'full',
        appends: [
          {
            stream: 'run/r1',
            events: [
              runEvent('approval.denied', { id: 'a1', by: 'ann', status: 'pending' }, { reason: 'not now' }),
            ],
          },
        ],
      });
      expect(await runs.approval('a1')).toMatchObject({
        ...{ status: 'denied', decidedBy: 'ann', reason: 'not now' },
      });
      expect(await runs.approvals({ status: 'pending' })).toEqual([]);
    });

    it('lists runs by several statuses, trees, part of the goal and time, page by page', async () => {
      const { runs, events, clock } = make();
      const ids = ['r1', 'r2', 'r3', 'r4', 'r5'];
      const startedAt = new Map<string, number>();
      for (const id of ids) {
        startedAt.set(id, clock.now());
        await started(events, id, id === 'r4' ? 'r2' : undefined);
        if (id !== 'r2') clock.advance(10);
      }
      const pending = { step: 1, state: 'a', tool: 't', kind: 'timer', at: 9, status: 'waiting' } as const;
      await events.commit({
        actor: 'x',
        sync: 'normal',
        appends: [{ stream: 'run/r5', events: [runEvent('tool.pending', pending)] }],
      });
      const list = async (filter: Parameters<RunStore['list']>[0]) =>
        (await runs.list(filter)).map(({ id }) => id);
      expect(await list({ statuses: ['waiting', 'failed'] })).toEqual(['r5']);
      expect((await runs.get('r5'))?.waitsFor).toBe('timer');
      expect(await list({ rootsOnly: true })).toEqual(['r5', 'r3', 'r2', 'r1']);
      expect(await list({ roots: ['r2' as RunId, 'r5' as RunId] })).toEqual(['r5', 'r4', 'r2']);
      expect(await list({ text: 'GOAL R3' })).toEqual(['r3']);
      expect(await list({ text: '%' })).toEqual([]);
      expect(await list({ since: startedAt.get('r4') as number })).toEqual(['r5', 'r4']);
      // Two runs of the same time are on different pages.
      const pages: string[][] = [];
      let after: { at: number; id: string } | undefined;
      do {
        const page = await runs.list({ limit: 2, ...(after ? { after } : {}) });
        pages.push(page.map(({ id }) => id));
        const last = page.at(-1);
        after = last && { at: last.startedAt, id: last.id };
      } while (after !== undefined);
      expect(pages).toEqual([['r5', 'r4'], ['r3', 'r2'], ['r1'], []]);
    });

    it('pages through approvals, the newest first; an undecided one past its time has expired', async () => {
      const { runs, events, clock } = make();
      await started(events, 'r1');
      await started(events, 'r2', 'r1');
      const asked = (id: string, expiresAt: number) =>
        runEvent('question.asked', {
          ...{ id, step: 1, state: 'a', about: 'question', requestedAt: 1, expiresAt, status: 'waiting' },
        } as const);
      for (const [run, id, expiresAt] of [
        ['r1', 'a1', 50],
        ['r1', 'a2', 5_000],
        ['r2', 'a3', 5_000],
      ] as const) {
        clock.advance(10);
        await events.commit({
          actor: 'x',
          sync: 'normal',
          appends: [{ stream: `run/${run}`, events: [asked(id, expiresAt)] }],
        });
      }
      const page = async (filter: Partial<Parameters<RunStore['approvalPage']>[0]>) =>
        (await runs.approvalPage({ now: 100, limit: 10, ...filter })).map(({ id }) => id);
      expect(await page({})).toEqual(['a3', 'a2', 'a1']);
      expect(await page({ statuses: ['pending'] })).toEqual(['a3', 'a2']);
      expect(await page({ statuses: ['expired', 'denied'] })).toEqual(['a1']);
      expect(await page({ runs: ['r1'] })).toEqual(['a2', 'a1']);
      const [first] = await runs.approvalPage({ now: 100, limit: 1 });
      const after = { at: first?.requestedAt ?? 0, id: first?.id ?? '' };
      expect(await page({ after })).toEqual(['a2', 'a1']);
    });

    it('finds runs and approvals of which only snapshots are stored', async () => {
      const { runs, events } = make();
      await started(events, 'r1');
      const call = { kind: 'call_tool', tool: 't', input: { a: 1 }, rationale: '' };
      const parked = {
        ...{ id: 'alone', kind: 'test', goal: 'a goal', startedAt: 1, lastAt: 2, index: 3 },
        lineage: { root: 'alone', depth: 0, origin: 'alone' },
        waiting: { for: 'approval', id: 'a9', call, argumentsHash: 'h', expiresAt: 99 },
      } as unknown as RunState;
      await runs.saveSnapshot(parked);
      expect((await runs.list({})).map(({ id }) => id).sort()).toEqual(['alone', 'r1']);
      expect((await runs.list({ status: 'waiting' })).map(({ id }) => id)).toEqual(['alone']);
      expect(await runs.list({ status: 'completed' })).toEqual([]);
      expect(await runs.get('alone')).toMatchObject({ goal: 'a goal', status: 'waiting', root: 'alone' });
      const approval = { id: 'a9', run: 'alone', tool: 't', arguments: { a: 1 }, status: 'pending' };
      expect(await runs.approval('a9')).toMatchObject(approval);
      expect(await runs.approvals({ status: 'pending' })).toMatchObject([approval]);
      expect(await runs.approvals({ run: 'r1' })).toEqual([]);
      // The events of a run count, not an older snapshot of it.
      await runs.saveSnapshot({ ...parked, id: 'r1' as RunId });
      expect((await runs.get('r1'))?.status).toBe('running');
      expect(await runs.approvals({ run: 'r1' })).toEqual([]);
    });

    it('replaces, loads and drops snapshots as copies', async () => {
      const { runs } = make();
      const run = { id: 'r1', index: 3, evidence: [{ step: 1 }] } as unknown as RunState;
      await runs.saveSnapshot(run);
      run.index = 4;
      expect(await runs.loadSnapshot('r1')).toEqual({ id: 'r1', index: 3, evidence: [{ step: 1 }] });
      await runs.saveSnapshot(run);
      expect((await runs.loadSnapshot('r1'))?.index).toBe(4);
      await runs.dropSnapshot('r1');
      expect(await runs.loadSnapshot('r1')).toBeUndefined();
    });
  });
}

/** Requirements for every cache. */
export function cacheConformance(name: string, make: () => { cache: Cache; clock: ManualClock }): void {
  describe(`${name} as a cache`, () => {
    it('returns copies of stored values until they expire or are cleared', async () => {
      const { cache, clock } = make();
      const output = { list: [1] };
      await cache.set('k', { tool: 't', output, expiresAt: clock.now() + 10 });
      await cache.set('forever', { tool: 't', output: null });
      output.list.push(2);
      expect(await cache.get('k')).toEqual({ list: [1] });
      expect(await cache.get('forever')).toBeNull();
      expect(await cache.get('other')).toBeUndefined();
      clock.advance(10);
      expect(await cache.get('k')).toBeUndefined();
      await cache.set('k', { tool: 't', output: 2 });
      expect(await cache.get('k')).toBe(2);
      await cache.clear();
      expect(await cache.get('k')).toBeUndefined();
    });
  });
}

/** Requirements for every memory store. */
export function memoryStoreConformance(name: string, make: () => MemoryStore): void {
  describe(`${name} as a memory store`, () => {
    it('stores, replaces, finds and deletes', async () => {
      const store = make();
      await store.put({ id: 'a', namespace: 'n', text: 'The red fox', at: 1 });
      await store.put({ id: 'b', namespace: 'n', text: 'a RED hen', at: 2, metadata: { source: 'x' } });
      await store.put({ id: 'c', namespace: 'm', text: 'red', at: 3 });
      expect((await store.search({ text: 'red' })).map((item) => item.id)).toEqual(['c', 'b', 'a']);
      expect((await store.search({ text: 'red the', namespace: 'n' })).map((item) => item.id)).toEqual(['a']);
      expect((await store.search({ text: 'red', limit: 1 })).map((item) => item.id)).toEqual(['c']);
      expect(await store.get('b')).toEqual({
        id: 'b',
        namespace: 'n',
        text: 'a RED hen',
        at: 2,
        metadata: { source: 'x' },
      });
      await store.put({ id: 'a', namespace: 'n', text: 'The blue fox', at: 4 });
      expect((await store.search({ text: 'fox' })).map((item) => item.text)).toEqual(['The blue fox']);
      await store.delete('a');
      await store.delete('never there');
      expect(await store.get('a')).toBeUndefined();
    });
  });
}
