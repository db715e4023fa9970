// Event streams: every event once and in order, selected on the server, also for clients that come back or do not read.
import { describe, expect, test } from 'vitest';
import { MAX_STREAMS } from '../../src/daemon/http/event-hub.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { problemOf, Web } from './web-kit.ts';

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);
const start = (root: string, group?: string) => ({
  type: 'run.started',
  data: {
    ...{ kind: 'call', state: 'start', pins: { graph: 'a' }, limits: {}, epoch: 1, status: 'running' },
    lineage: { root },
    ...(group === undefined ? {} : { group }),
  },
  body: { goal: 'go', vars: {} },
});
const cancelled = { type: 'run.cancel_requested', data: { by: 'test', reason: 'no' } };
const released = { type: 'turn.released', data: { notification: 'n', attempt: 1 } };
const paused = { type: 'run.pause_requested', data: { by: 'test' } };

describe('an event stream', () => {
  test('starts at the end of the ledger and passes on what is committed', async () => {
    const web = await Web.open();
    await web.record('notes', 'note.old');
    const stream = await web.follow();
    await stream.until(() => stream.received.length > 0);
    expect(stream.received[0]).toEqual({ event: 'ready', id: 1, data: { position: 1 } });
    await web.record('notes', 'note.added', 'note.changed');
    await stream.until(() => stream.events.length === 2);
    expect(stream.events[0]).toEqual({
      event: 'ledger',
      id: 2,
      data: { position: 2, stream: 'notes', type: 'note.added', at: expect.any(Number), data: {} },
    });
    expect(stream.positions).toEqual([2, 3]);
  });

  test('catches up from a position while events are committed, without gaps or duplicates', async () => {
    const web = await Web.open();
    for (let i = 0; i < 12; i += 1)
      await web.record('notes', ...Array.from({ length: 100 }, () => 'note.added'));
    const streams = await Promise.all(
      [0, 0, 600, 1_199, 1_200].map((after) => web.follow(`?after=${after}`)),
    );
    for (let i = 0; i < 300; i += 1) await web.record('notes', 'note.added');
    for (const stream of streams) await stream.until(() => stream.positions.at(-1) === 1_500);
    expect(streams[0]?.positions).toEqual(numbers(1, 1_500));
    expect(streams[1]?.positions).toEqual(numbers(1, 1_500));
    expect(streams[2]?.positions).toEqual(numbers(601, 1_500));
    expect(streams[3]?.positions).toEqual(numbers(1_200, 1_500));
    expect(streams[4]?.positions).toEqual(numbers(1_201, 1_500));
  });

  test('resumes after the last event that the client has', async () => {
    const web = await Web.open();
    const seen: number[] = [];
    let last: number | undefined;
    for (let i = 0; i < 5; i += 1) {
      const stream = await web.follow(
        '?after=0',
        last === undefined ? {} : { 'last-event-id': String(last) },
      );
      const upTo = (i + 1) * 20;
      while ((await web.ledger.store.head()).seq < upTo) await web.record('notes', 'note.added');
      await stream.until(() => (stream.positions.at(-1) ?? 0) >= upTo - 5);
      seen.push(...stream.positions);
      last = stream.lastId;
      stream.close();
    }
    const stream = await web.follow('', { 'last-event-id': String(last) });
    await stream.until(() => stream.received.length > 0 && (stream.positions.at(-1) ?? last) === 100);
    expect([...seen, ...stream.positions]).toEqual(numbers(1, 100));
  });

  test('continues at the next daemon, on the same port and with the same session', async () => {
    const first = await Web.open();
    const cookie = await first.cookie();
    const stream = await first.follow();
    await first.record('notes', 'note.added', 'note.added');
    await stream.until(() => stream.events.length === 2);
    const stopped = first.stop();
    await stream.ended;
    await stopped;
    await first.record('notes', 'note.added');
    const second = await Web.open({ ledger: first.ledger, stateFile: first.stateFile });
    expect(second.server.port).toBe(first.server.port);
    expect((await second.ask('/v1/session', { headers: { cookie } })).status).toBe(200);
    const again = await second.follow('', { 'last-event-id': String(stream.lastId) });
    await second.record('notes', 'note.added');
    await again.until(() => again.events.length === 2);
    expect([...stream.positions, ...again.positions]).toEqual([1, 2, 3, 4]);
  });

  test('passes on what is committed just before the daemon stops', async () => {
    const web = await Web.open();
    const stream = await web.follow();
    await stream.until(() => stream.received.length > 0);
    await web.record('notes', 'note.added', 'note.added');
    await web.stop();
    await stream.ended;
    expect(stream.positions).toEqual([1, 2]);
  });

  test('starts at the end if the position is one of another ledger', async () => {
    const web = await Web.open();
    await web.record('notes', 'note.added');
    const stream = await web.follow('?after=900');
    await web.record('notes', 'note.added');
    await stream.until(() => stream.events.length === 1);
    expect(stream.received[0]).toMatchObject({ event: 'ready', data: { position: 1 } });
    expect(stream.positions).toEqual([2]);
  });

  test.each(['?after=-1', '?after=x', '?after=1e3', '?after=99999999999999999999'])(
    'refuses the position %s',
    async (query) => {
      const web = await Web.open();
      const answer = await web.ask(`/v1/events${query}`, { headers: web.bearer });
      expect(answer.status).toBe(400);
      expect(problemOf(answer)).toMatchObject({ code: 'http.bad_request', data: { field: 'after' } });
    },
  );

  test('refuses an unknown run', async () => {
    const web = await Web.open();
    const answer = await web.ask('/v1/events?run=nobody', { headers: web.bearer });
    expect(answer.status).toBe(404);
    expect(problemOf(answer).code).toBe('engine.unknown_run');
  });

  test('keeps a quiet connection open, and sends the resume position although nothing was selected', async () => {
    const clock = new ManualClock();
    const web = await Web.open({ clock });
    const stream = await web.follow('?kind=run');
    await web.record('notes', 'note.added');
    while (stream.lastId !== 1) {
      clock.advance(1_000);
      await nextTurn();
    }
    expect(stream.events).toEqual([]);
    expect(stream.lastId).toBe(1);
  });
});

describe('selection', () => {
  async function withTree() {
    const web = await Web.open();
    const commit = (stream: string, ...events: { type: string; data: object }[]) =>
      web.ledger.store.commit({
        actor: 'test',
        sync: 'normal',
        appends: [{ stream, events: events as [] }],
      });
    return { web, commit };
  }

  test('by kind: a type, or the first part of types', async () => {
    const { web } = await withTree();
    const runs = await web.follow('?after=0&kind=run,note.added');
    await web.record('notes', 'note.added', 'note.changed', 'runner.up', 'run.paused');
    await runs.until(() => runs.events.length === 2);
    expect(runs.events.map(({ data }) => data['type'])).toEqual(['note.added', 'run.paused']);
  });

  test('by run: its tree, with children that start later, and a run that continues it', async () => {
    const { web, commit } = await withTree();
    await commit('run/r1', start('r1'));
    await commit('run/r2', start('r2'));
    const stream = await web.follow('?after=0&run=r1');
    await stream.until(() => stream.events.length === 1);
    await commit('run/r2', paused);
    await commit('run/r3', start('r1'));
    await commit('run/r3', paused);
    await commit('budget/r1', { type: 'note.added', data: {} });
    await commit('budget/r2', { type: 'note.added', data: {} });
    const again = start('r4');
    await commit('run/r4', { ...again, data: { ...again.data, lineage: { root: 'r4', resumedFrom: 'r1' } } });
    await stream.until(() => stream.events.length === 5);
    expect(stream.positions).toEqual([1, 4, 5, 6, 8]);
    const { text } = await web.ask('/v1/events/list?run=r1', { headers: web.bearer });
    expect(JSON.parse(text).items.map(({ position }: { position: number }) => position)).toEqual([
      1, 4, 5, 6, 8,
    ]);
  });

  test('by conversation: its messages, its turns and the trees of its runs', async () => {
    const { web, commit } = await withTree();
    const stream = await web.follow('?after=0&conversation=garden');
    await commit('run/r1', start('r1', 'garden'));
    await commit('run/r2', start('r2', 'other'));
    await commit('run/r3', start('r1', 'garden'));
    await commit('run/r3', paused);
    await commit('run/r2', paused);
    await commit('turns/garden', released);
    await commit('turns/other', released);
    await commit('notes', { type: 'note.added', data: { run: 'r3' } });
    await stream.until(() => stream.events.length === 5);
    expect(stream.positions).toEqual([1, 3, 4, 6, 8]);
    expect(stream.events[2]?.data).toMatchObject({ run: 'r3', root: 'r1', conversation: 'garden' });
    expect(stream.events[4]?.data).toMatchObject({ run: 'r3', root: 'r1', conversation: 'garden' });
  });

  test('a page of events has the same records, and a cursor for the next page', async () => {
    const { web } = await withTree();
    await web.record('notes', ...Array.from({ length: 5 }, () => 'note.added'));
    const ask = async (query: string) =>
      JSON.parse((await web.ask(`/v1/events/list${query}`, { headers: web.bearer })).text);
    const first = await ask('?limit=2');
    expect(first).toMatchObject({ items: [{ position: 1 }, { position: 2 }], next: '2' });
    expect(await ask(`?limit=9&after=${first.next}`)).toMatchObject({
      items: [{ position: 3 }, { position: 4 }, { position: 5 }],
    });
    expect(await ask('?kind=run')).toEqual({ items: [] });
  });

  test('the text of models arrives before the event that records it, and only on streams that select it', async () => {
    const { web, commit } = await withTree();
    const asked = { from: 'user', depth: 0, notifies: [{ agent: 'anton' }] };
    await commit('chat/garden', { type: 'message.posted', data: asked });
    const notification = 'garden/0/anton';
    const claim = { notification, run: 'r1', owner: 'test', attempt: 1 };
    await commit('turns/garden', { type: 'turn.claimed', data: claim });
    await commit('run/r1', start('r1', 'garden'));
    await commit('run/r2', start('r2'));
    const all = await web.follow();
    const garden = await web.follow('?conversation=garden');
    for (const stream of [all, garden]) await stream.until(() => stream.received.length === 1);
    // A stream is live once it has received an event.
    await commit('run/r1', paused);
    for (const stream of [all, garden]) await stream.until(() => stream.events.length === 1);
    web.say('r2', 'not here');
    web.say('r1', 'Hel');
    web.say('r1', 'lo');
    await commit('run/r1', cancelled);
    for (const stream of [all, garden]) await stream.until(() => stream.events.length === 2);
    const texts = garden.received.filter(({ event }) => event === 'text').map(({ data }) => data);
    expect(texts.map(({ text }) => text).join('')).toBe('Hello');
    expect(texts[0]).toMatchObject({ run: 'r1', root: 'r1', conversation: 'garden', turn: notification });
    expect(garden.received.at(-1)).toMatchObject({ event: 'ledger', data: { type: 'run.cancel_requested' } });
    expect(all.received.filter(({ event, data }) => event === 'text' && data['run'] === 'r2')).toHaveLength(
      1,
    );
  });
});

describe('load', () => {
  test(`${MAX_STREAMS} streams are served, further ones refused, and a closed one makes room`, async () => {
    const web = await Web.open();
    const streams = await Promise.all(Array.from({ length: MAX_STREAMS }, () => web.follow()));
    const refused = await web.ask('/v1/events', { headers: web.bearer });
    expect(refused.status).toBe(503);
    expect(problemOf(refused)).toMatchObject({ code: 'http.too_many_streams' });
    expect((await web.ask('/v1/session', { headers: web.bearer })).status).toBe(200);
    await web.record('notes', 'note.added');
    for (const stream of streams) await stream.until(() => stream.events.length === 1);
    streams[0]?.close();
    for (;;) {
      const next = await web.follow();
      if (next.response.statusCode === 200) break;
    }
  });

  test('a client that does not read is disconnected, and others are not delayed', async () => {
    const web = await Web.open();
    const good = await web.follow();
    const slow = await web.follow();
    await slow.until(() => slow.received.length === 1);
    slow.response.pause();
    const data = { text: 'x'.repeat(200_000) };
    for (let written = 1; web.server.streams === 2; written += 1) {
      const events = [{ type: 'note.added', data }];
      await web.ledger.store.commit({
        actor: 'test',
        sync: 'normal',
        appends: [{ stream: 'notes', events }],
      });
      await good.until(() => good.events.length === written);
      expect(written).toBeLessThan(500);
    }
    expect(web.server.streams).toBe(1);
    expect(good.positions).toEqual(numbers(1, good.positions.length));
  });

  test('the ledger is read once for all streams', async () => {
    // Nothing is read because time passes.
    const web = await Web.open({ clock: new ManualClock() });
    const streams = await Promise.all(Array.from({ length: 20 }, () => web.follow()));
    for (const stream of streams) await stream.until(() => stream.received.length === 1);
    while (web.reads < streams.length) await nextTurn();
    await nextTurn();
    const before = web.reads;
    await web.record('notes', 'note.added', 'note.added');
    for (const stream of streams) await stream.until(() => stream.events.length === 2);
    expect(web.reads - before).toBe(1);
  });
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
