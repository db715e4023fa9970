import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Maintenance } from '../../src/runtime/maintenance/maintenance.ts';
import { OpenWorkspace } from '../../src/runtime/services/open-workspace.ts';
import { eventsOf, factsOf, LEARNED, MaintainedWorkspace, maintain } from './maintained-workspace.ts';

describe('maintenance', () => {
  it('learns from the words of a person, writes the files, and is a run with a timeline', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    const goal = await place.populate(oka);
    const answer = await maintain(oka);
    expect(answer).toMatchObject({ outcome: 'done', report: { distilled: { added: 2 } } });
    expect(await factsOf(oka)).toEqual(LEARNED);
    const [fact] = await oka.memory.listFacts({ limit: 10 });
    expect(fact).toMatchObject({ source: `run/${goal}`, namespace: 'default' });
    expect(fact?.confidence).toBeLessThan(1);
    const files = place.files();
    expect(Object.keys(files)).toEqual([
      expect.stringMatching(/^brain\/LEARNINGS-[a-z-]+\.md$/),
      'brain/TODOS.md',
      expect.stringMatching(/^memory\/\d{4}-\d{2}-\d{2}\.md$/),
    ]);
    expect(Object.values(files).join()).toContain(goal);
    const explained = await oka.runs.explain(answer.run?.id as string);
    expect(explained.timeline.map(({ state }) => state)).toEqual([
      'distil',
      'score',
      'tidy',
      'retain',
      'derive',
      'done',
    ]);
    expect((await oka.ledger.verify({ full: true })).faults).toEqual([]);
  });

  it('writes no event and no file when nothing has changed', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    await place.populate(oka);
    await maintain(oka);
    const [before, files] = [await eventsOf(oka), place.files()];
    expect(await maintain(oka)).toEqual({ outcome: 'nothing_changed' });
    expect(await eventsOf(oka)).toBe(before);
    expect(place.files()).toEqual(files);
  });

  it('only reports what it would do in a dry run', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    await place.populate(oka);
    const before = await eventsOf(oka);
    const answer = await oka.maintenance.maintain({ dryRun: true });
    expect(answer.outcome).toBe('would_do');
    expect(answer.wouldLearn?.map(({ text }) => text).sort()).toEqual(LEARNED);
    expect(answer.report?.files.written).toContain('brain/TODOS.md');
    expect(await eventsOf(oka)).toBe(before);
    expect(place.files()).toEqual({});
    expect(await factsOf(oka)).toEqual([]);
  });

  it('does not restore a deleted fact, and removes it from the files', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    await place.populate(oka);
    await maintain(oka);
    const [fact] = (await oka.memory.listFacts({ limit: 10 })).filter(({ text }) => text.includes('vim'));
    await oka.memory.deleteFact(fact?.id as string, 'me');
    expect((await maintain(oka)).outcome).toBe('done');
    expect(await factsOf(oka)).toEqual(['the release is on Friday']);
    const day = Object.entries(place.files()).find(([path]) => path.startsWith('memory/'))?.[1];
    expect(day).toContain('the release is on Friday`, 90 % sure');
    expect(day).not.toContain('My editor is vim`, ');
    expect((await oka.ledger.verify({ full: true })).faults).toEqual([]);
  });

  it('writes the same files again from the same ledger, after files and tables were deleted', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    await place.populate(oka);
    await oka.memory.recordEpisodes([{ text: 'a turn', conversation: 'talk' }], 'me');
    await maintain(oka);
    const files = place.files();
    rmSync(place.path('brain'), { recursive: true });
    rmSync(place.path('memory'), { recursive: true });
    await oka.ledger.rebuild('table');
    expect((await maintain(oka)).outcome).toBe('done');
    expect(place.files()).toEqual(files);
  });

  it('saves a person’s edit of a file once, and then leaves the file alone', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    await place.populate(oka);
    await maintain(oka);
    const todos = place.path('brain/TODOS.md');
    writeFileSync(todos, 'my own list\n');
    await oka.memory.addFact({ text: 'something new', by: 'me' });
    expect((await maintain(oka)).report?.files.setAside).toEqual(['brain/TODOS.md.edited']);
    expect(place.files()['brain/TODOS.md.edited']).toBe('my own list\n');
    expect(place.files()['brain/TODOS.md']).toContain('# Open work');
    writeFileSync(todos, 'my second list\n');
    await oka.memory.addFact({ text: 'something newer', by: 'me' });
    expect((await maintain(oka)).report?.files.leftAlone).toEqual(['brain/TODOS.md']);
    expect(place.files()['brain/TODOS.md']).toBe('my second list\n');
  });

  it('runs the other steps when policy denies one, reports it, and resumes at the same place', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    await place.populate(oka);
    const policy =
      '# Policy\n\n| match | decision | why |\n|---|---|---|\n| maintenance.distil | deny | not here |\n';
    writeFileSync(place.path('POLICY.md'), policy);
    const refused = await maintain(oka);
    expect(refused).toMatchObject({
      outcome: 'not_done',
      run: { failure: { code: 'maintenance.incomplete' } },
    });
    expect(refused.run?.failure?.message).toContain('not here');
    expect(existsSync(place.path('brain/TODOS.md'))).toBe(true);
    rmSync(place.path('POLICY.md'));
    expect((await maintain(oka)).outcome).toBe('done');
    expect(await factsOf(oka)).toEqual(LEARNED);
  });

  it('erases expired content, even if nothing else has happened', async () => {
    let now = 1_700_000_000_000;
    const clock = { now: () => now, callAt: () => () => undefined };
    const place = new MaintainedWorkspace();
    const oka = place.open({ clock });
    await oka.init({ trust: true });
    await oka.memory.addFact({ text: 'soon over', ttlMs: 1_000, by: 'me' });
    await maintain(oka);
    expect(await maintain(oka)).toEqual({ outcome: 'nothing_changed' });
    now += 2_000;
    expect((await maintain(oka)).report?.facts.pruned).toBe(1);
    expect(JSON.stringify(place.files())).not.toContain('soon over');
    expect(await maintain(oka)).toEqual({ outcome: 'nothing_changed' });
  });

  it('continues a paused run when a person asks for it, and not automatically', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    await place.populate(oka);
    await oka.close();
    const { services, maintenance } = maintenanceOf(place);
    const troubles: string[] = [];
    const ledger = await services.writable();
    // Whoever pauses it does so as soon as it has begun.
    const pause = ledger.store.subscribe((stored) => {
      const [first] = stored;
      if (first?.type !== 'run.started') return;
      pause();
      const draft = { type: 'run.pause_requested', data: { by: 'me' } };
      void ledger.events.commit({
        actor: 'me',
        sync: 'full',
        appends: [{ stream: first.stream, events: [draft] }],
      });
    });
    expect((await maintenance.maintain({ dryRun: false })).run?.status).toBe('paused');
    const turn = maintenance.turn((outcome) => outcome.ok || troubles.push(outcome.message));
    turn.look();
    await turn.settled();
    expect((await ledger.runs.list({ kind: 'maintenance' })).map(({ status }) => status)).toEqual(['paused']);
    expect((await maintenance.maintain({ dryRun: false })).outcome).toBe('done');
    expect(troubles).toEqual([]);
    await services.close();
  });

  it('merges facts that say the same', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    await oka.init({ trust: true });
    await oka.memory.addFact({ text: 'Ada prefers tea.', importance: 4, by: 'me' });
    await oka.memory.addFact({ text: 'ada prefers tea', by: 'me' });
    expect((await maintain(oka)).report?.facts.joined).toBe(1);
    expect(await factsOf(oka)).toEqual(['Ada prefers tea.']);
  });
});

/** The part that is called after an erasure, on a workspace that an Oka has closed. */
function maintenanceOf(place: MaintainedWorkspace) {
  const graphs = () => Promise.reject(new Error('no graphs here'));
  const services = new OpenWorkspace({ workspace: place.workspace, home: place.home, graphs });
  return { services, maintenance: new Maintenance(services) };
}

describe('after an erasure', () => {
  it('the page of the day no longer contains a deleted fact, and other files stay unchanged', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    await oka.init({ trust: true });
    const { fact } = await oka.memory.addFact({ text: 'a thing to forget', by: 'me' });
    await oka.memory.addFact({ text: 'a thing to keep', by: 'me' });
    await maintain(oka);
    const before = place.files();
    expect(JSON.stringify(before)).toContain('a thing to forget');
    await oka.memory.deleteFact(fact.id, 'me');
    await oka.close();
    const changed = Object.entries(place.files()).filter(([path, text]) => before[path] !== text);
    expect(changed.map(([path]) => path)).toEqual([expect.stringMatching(/^memory\//)]);
    expect(JSON.stringify(place.files())).not.toContain('a thing to forget');
    expect(JSON.stringify(place.files())).toContain('a thing to keep');
  });

  it('an erased run is in no file, and facts learned from it are forgotten', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    const run = await place.populate(oka);
    await maintain(oka);
    await oka.close();
    const { services, maintenance } = maintenanceOf(place);
    const ledger = await services.writable();
    const stream = `run/${run}`;
    const events = await ledger.events.read(stream);
    const erased = events.flatMap(({ index, body }) => (body === undefined ? [] : [{ stream, index }]));
    await ledger.archive.erase(erased, 'me', 'I want it gone');
    await ledger.mirror.settle();
    await maintenance.afterErasure(erased);
    await services.close();
    const text = JSON.stringify(place.files());
    expect(text).not.toContain(run);
    expect(text).not.toMatch(/Friday|vim/);
    const after = place.open();
    expect(await factsOf(after)).toEqual([]);
    expect((await after.ledger.verify({ full: true })).faults).toEqual([]);
  });

  it('no file is created where there were none', async () => {
    const place = new MaintainedWorkspace();
    const oka = place.open();
    await place.populate(oka);
    await oka.close();
    const { services, maintenance } = maintenanceOf(place);
    expect(await maintenance.afterErasure()).toBeUndefined();
    await services.close();
    expect(existsSync(place.path('brain/TODOS.md'))).toBe(false);
  });
});
