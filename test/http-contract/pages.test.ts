import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LivedInWorkspace, openLivedInWorkspace } from './lived-in-workspace.ts';

let place: LivedInWorkspace;
beforeAll(async () => {
  place = await openLivedInWorkspace();
}, 60_000);
afterAll(() => place.close());

/** All items of a list, page by page. */
async function all<Item>(
  read: (cursor: { cursor?: string }) => Promise<{ readonly items: readonly Item[]; readonly next?: string }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: { cursor?: string } = {};
  for (;;) {
    const page = await read(cursor);
    items.push(...page.items);
    if (page.next === undefined) return items;
    cursor = { cursor: page.next };
  }
}

describe('runs, page by page,', () => {
  it('are those of the whole list, with what they wait for', async () => {
    const { runs } = place.api;
    const whole = await runs.list({ limit: 100 });
    expect(whole.length).toBeGreaterThan(3);
    for (const limit of [1, 2, 3])
      expect(await all((cursor) => runs.page({ limit, ...cursor }))).toEqual(whole);
    expect(whole.find(({ id }) => id === place.ids.waiting)).toMatchObject({
      waitingFor: { what: 'approval' },
    });
    expect(whole.some((run) => 'simulated' in run && run.simulated)).toBe(true);
  });

  it('are found by status, kind, graph, goal and time', async () => {
    const { runs } = place.api;
    const ids = async (filter: object) =>
      (await runs.page({ limit: 100, ...filter })).items.map(({ id }) => id);
    expect(await ids({ status: ['waiting'] })).toEqual([place.ids.waiting]);
    expect(await ids({ graph: 'hello' })).toContain(place.ids.graphRun);
    expect(await ids({ kind: 'graph', text: 'HELL', rootsOnly: true })).toContain(place.ids.graphRun);
    expect(await ids({ root: place.ids.graphRun })).toEqual([place.ids.graphRun]);
    expect(await ids({ text: 'no such goal' })).toEqual([]);
    expect(await ids({ since: Date.now() + 60_000 })).toEqual([]);
  });

  it('refuse an invalid cursor', async () => {
    for (const cursor of ['x', '', 'WzFd', 'bnVsbA'])
      await expect(place.api.runs.page({ limit: 1, cursor })).rejects.toMatchObject({
        code: 'http.bad_request',
        data: { field: 'cursor' },
      });
  });
});

describe('the events of a run', () => {
  it('are those of the ledger, in order, page by page', async () => {
    const { runs, ledger } = place.api;
    const run = place.ids.graphRun;
    const events = await all((cursor) => runs.events({ run, limit: 2, ...cursor }));
    const recorded: unknown[] = [];
    for await (const event of ledger.tail({ run, last: 1_000, follow: false })) recorded.push(event);
    expect(events.filter(({ stream }) => stream === `run/${run}`)).toEqual(recorded);
    expect(events.map(({ seq }) => seq)).toEqual(events.map(({ seq }) => seq).sort((a, b) => a - b));
  });

  it('of an unknown run are refused', async () => {
    await expect(place.api.runs.events({ run: 'nothing', limit: 1 })).rejects.toMatchObject({
      code: 'engine.unknown_run',
    });
  });
});

describe('facts and approvals, page by page,', () => {
  it('are the newest first', async () => {
    const { memory } = place.api;
    for (const text of ['grass is green', 'snow is white']) await memory.addFact({ text, by: 'tester' });
    const texts = (await all((cursor) => memory.pageFacts({ limit: 1, ...cursor }))).map(({ text }) => text);
    expect(texts).toEqual(['snow is white', 'grass is green', 'the sky is blue']);
    expect((await memory.pageFacts({ limit: 9, text: 'SNOW' })).items).toHaveLength(1);
  });

  it('include decided ones with the reason', async () => {
    const { approvals, tools, runs } = place.api;
    const { run } = await tools.call({ tool: 'files.delete', input: { path: 'notes.txt' }, patienceMs: 0 });
    const id = run.waitingFor?.approval ?? '';
    const denied = await approvals.deny(id, 'ann', 'keep the notes');
    expect(denied.run.failure?.message).toContain('keep the notes');
    const decided = await approvals.page({ limit: 10, status: ['denied'] });
    expect(decided.items).toMatchObject([{ id, decidedBy: 'ann', reason: 'keep the notes' }]);
    expect(await approvals.show(id)).toMatchObject({ status: 'denied', reason: 'keep the notes' });
    const { actions } = await runs.explain(run.id);
    expect(actions.flatMap(({ verdicts }) => verdicts)).toContain('denied by ann: keep the notes');
    const open = await approvals.page({ limit: 10, status: ['pending'], run: place.ids.waiting });
    expect(open.items).toMatchObject([{ id: place.ids.approval, now: { canUndo: true } }]);
    const both = await all((cursor) => approvals.page({ limit: 1, brief: true, ...cursor }));
    expect(both.map((one) => one.id)).toEqual([id, place.ids.approval]);
    expect(both.some(({ now }) => now !== undefined)).toBe(false);
  });
});

describe('the overview', () => {
  it('counts runs, approvals and what was spent today, and says up to where the ledger is verified', async () => {
    const before = await place.api.overview();
    expect(before).toMatchObject({ trusted: true, runs: { waiting: 1 }, approvals: 1, reviews: 0 });
    expect(before.today).toMatchObject({ usd: 0, modelCalls: 0, failed: expect.any(Number) });
    const { head } = await place.api.ledger.verify({ full: false });
    const after = await place.api.overview();
    expect(after.ledger).toMatchObject({ ...head, verified: { seq: head.seq } });
  });
});
