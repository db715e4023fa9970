import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { procedureSource } from '../../src/memory/index.ts';
import { assistantProcedures, scoreProcedures } from '../../src/runtime/memory/procedures.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { trustFolder } from '../support/trust-folder.ts';
import { verifyLedger } from '../support/verify-ledger.ts';
import { DAY_MS, goalOf, LearningKit } from './learning-kit.ts';

const NOTHING = { proposed: [], promoted: [], demoted: [] };
const scorer = join(import.meta.dirname, 'doomed-scorer.mjs');

describe('learning a procedure', () => {
  it('makes slots of values from the goal, and constants of values that never change', async () => {
    const kit = new LearningKit();
    const id = await kit.candidate();
    const { procedure, status } = await kit.procedures.show(id);
    expect(status).toBe('candidate');
    expect(procedure).toMatchObject({
      name: 'polish-path-into-path',
      origin: 'promoted',
      trigger: { phrases: ['polish {{path1}} into {{path2}}'] },
      steps: [
        { tool: 'notes.read', input: { path: '{{path1}}', lines: 10 } },
        { tool: 'notes.write', input: { path: '{{path2}}', text: 'polished' } },
      ],
      basis: { tools: [{ name: 'notes.read' }, { name: 'notes.write' }] },
    });
  });

  it('counts equal values on the same day, forks and resumed runs as one execution', async () => {
    const kit = new LearningKit();
    const run = await kit.pursue(goalOf('one'));
    await kit.pursue(goalOf('one'));
    await kit.pursue('please polish ./notes/one.md into out//one.md');
    for (let i = 0; i < 2; i++) {
      kit.clock.advance(DAY_MS);
      await kit.engine.resume(await kit.engine.fork(run.id, 2, {}));
    }
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    const failed = await kit.pursue(goalOf('two'), { fails: true });
    await kit.pursue(goalOf('two'));
    const resumed = await kit.engine.resume(failed.id);
    expect(resumed.ended?.status).toBe('completed');
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    await kit.pursue(goalOf('three'));
    expect((await kit.procedures.score('tester')).proposed).toHaveLength(1);
  });

  it('counts the same values again on another day', async () => {
    const kit = new LearningKit();
    for (let day = 0; day < 3; day++) {
      await kit.pursue(goalOf('one'));
      kit.clock.advance(DAY_MS);
    }
    expect((await kit.procedures.score('tester')).proposed).toHaveLength(1);
  });

  it('learns nothing from untrusted runs', async () => {
    const kit = new LearningKit();
    for (const name of ['one', 'two', 'three']) await kit.pursue(goalOf(name), { untrusted: true });
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
  });

  it('learns nothing from runs that a person corrected', async () => {
    const kit = new LearningKit();
    const [run] = await kit.pursueThree();
    await kit.engine.correct(run?.id ?? '', 'not like this', 'ada');
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
  });
});

describe('promotion', () => {
  it('does not count the runs that a procedure was learned from, and reports what is missing', async () => {
    const kit = new LearningKit();
    const id = await kit.candidate();
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    const { evidence, waitsFor, precedents } = await kit.procedures.explain(id);
    expect(precedents).toHaveLength(3);
    expect(evidence).toMatchObject({
      with: { executions: 0, medianMs: null },
      without: { executions: 3, medianMs: 1_000, approvals: 0 },
    });
    expect(waitsFor).toEqual([
      expect.stringContaining('0 of 3 independent executions'),
      expect.stringContaining('only runs with a model can use it'),
    ]);
  });

  it('happens after three independent uses that went better than without the procedure', async () => {
    const kit = new LearningKit();
    const id = await kit.candidate();
    for (const name of ['four', 'five']) await kit.pursue(goalOf(name), { offer: id, ms: 100 });
    await kit.pursue(goalOf('five'), { offer: id, ms: 100 });
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    await kit.pursue(goalOf('six'), { offer: id, ms: 100 });
    expect(await kit.procedures.score('tester')).toMatchObject({ ...NOTHING, promoted: [id] });
    const { history, procedure } = await kit.procedures.explain(id);
    expect(history.map(({ what }) => what)).toEqual(['proposed', 'promoted']);
    expect(history[1]?.evidence).toMatchObject({
      with: { executions: 3, medianMs: 100 },
      without: { executions: 3, medianMs: 1_000 },
    });
    expect(procedure.lastValidatedAt).toBe(kit.clock.now());
  });

  it('does not happen for a procedure that is not better or was not offered', async () => {
    const kit = new LearningKit();
    const id = await kit.candidate();
    for (const name of ['four', 'five', 'six']) await kit.pursue(goalOf(name), { ms: 100 });
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    for (const name of ['7', '8', '9']) await kit.pursue(goalOf(name), { offer: id, ms: 1_000 });
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    const { waitsFor } = await kit.procedures.explain(id);
    expect(waitsFor.join()).toMatch(/worse than the baseline in median time/);
  });

  it('does not count untrusted uses', async () => {
    const kit = new LearningKit();
    const id = await kit.candidate();
    for (const name of ['four', 'five', 'six'])
      await kit.pursue(goalOf(name), { offer: id, ms: 100, untrusted: true });
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
  });
});

describe('demotion', () => {
  it('follows a failed run that used the procedure, and blocks a new promotion for a waiting period', async () => {
    const kit = new LearningKit();
    const id = await kit.promoted();
    const failed = await kit.pursue(goalOf('seven'), { offer: id, fails: true });
    expect(await kit.procedures.score('tester')).toMatchObject({ ...NOTHING, demoted: [id] });
    const { procedure, reason } = await kit.procedures.show(id);
    expect(reason).toMatchObject({ kind: 'contradicted', subject: failed.id });
    expect(await kit.procedures.find(goalOf('eight'))).toEqual([]);
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    for (const name of ['a', 'b', 'c']) await kit.pursue(goalOf(name), { ms: 1_000 });
    expect((await kit.procedures.score('tester')).proposed).toEqual([procedure.id]);
    for (const name of ['d', 'e', 'f']) await kit.pursue(goalOf(name), { offer: id, ms: 10 });
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    expect((await kit.procedures.explain(id)).waitsFor.join()).toMatch(/was contradicted on/);
    kit.clock.advance(8 * DAY_MS);
    expect((await kit.procedures.score('tester')).promoted).toEqual([id]);
  });

  it('does not follow a failure of a run without the procedure', async () => {
    const kit = new LearningKit();
    const id = await kit.promoted();
    await kit.pursue(goalOf('seven'), { fails: true });
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    expect(await kit.statusOf(id)).toBe('promoted');
  });

  it('does not follow a failure that was fixed and resumed to a good end', async () => {
    const kit = new LearningKit();
    const id = await kit.promoted();
    const failed = await kit.pursue(goalOf('seven'), { offer: id, fails: true });
    await kit.pursue(goalOf('eight'), { offer: id });
    expect((await kit.engine.resume(failed.id)).ended?.status).toBe('completed');
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
  });

  it('happens when a person corrects a run that the procedure was learned from, or one that used it', async () => {
    const kit = new LearningKit();
    const id = await kit.promoted();
    const { precedents } = await kit.procedures.explain(id);
    await kit.engine.correct(precedents[1] ?? '', 'that was wrong', 'ada');
    expect((await kit.procedures.score('tester')).demoted).toEqual([id]);
    const other = new LearningKit();
    const second = await other.promoted();
    const use = await other.pursue(goalOf('seven'), { offer: second });
    await other.engine.correct(use.id, 'that was wrong', 'ada');
    expect((await other.procedures.score('tester')).demoted).toEqual([second]);
  });

  it('happens when a tool changed, and the procedure is not offered even before', async () => {
    const kit = new LearningKit();
    const id = await kit.promoted();
    expect((await kit.procedures.find(goalOf('seven'))).map(({ procedure }) => procedure.id)).toEqual([id]);
    kit.changeTool('notes.write');
    expect(await kit.procedures.find(goalOf('seven'))).toEqual([]);
    expect((await kit.procedures.score('tester')).demoted).toEqual([id]);
    expect((await kit.procedures.show(id)).reason).toMatchObject({
      kind: 'tool_changed',
      subject: 'notes.write',
    });
  });
});

describe('a file that a procedure depends on', () => {
  it('demotes the procedure when it changes', async () => {
    const kit = new LearningKit();
    const rules = join(kit.root, 'rules.md');
    writeFileSync(rules, 'be brief');
    for (const name of ['one', 'two', 'three']) await kit.pursue(`${goalOf(name)} by the rules`);
    const [id = ''] = (await kit.procedures.score('tester')).proposed;
    expect((await kit.procedures.show(id)).procedure.basis.files).toMatchObject([{ path: 'rules.md' }]);
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    writeFileSync(rules, 'be long');
    expect((await kit.procedures.score('tester')).demoted).toEqual([id]);
    expect((await kit.procedures.show(id)).reason).toMatchObject({
      kind: 'file_changed',
      subject: 'rules.md',
    });
  });
});

describe('finding a procedure', () => {
  it('fills the steps with the values of the goal, also for similar phrasings', async () => {
    const kit = new LearningKit();
    const id = await kit.promoted();
    const [exact] = await kit.procedures.find('polish notes/x.md into out/y.md');
    expect(exact).toMatchObject({ score: 1, executable: true });
    expect(exact?.steps?.map(({ input }) => input)).toEqual([
      { path: 'notes/x.md', lines: 10 },
      { path: 'out/y.md', text: 'polished' },
    ]);
    const [near] = await kit.procedures.find('polish the file notes/x.md');
    expect(near).toMatchObject({ procedure: { id }, executable: false });
    expect(await kit.procedures.find('count all sheep')).toEqual([]);
  });
});

describe('offering procedures', () => {
  it('gives a planner without a model only promoted procedures, and a model candidates too', async () => {
    const kit = new LearningKit();
    const id = await kit.candidate();
    const source = procedureSource(kit.procedures);
    const request = { goal: goalOf('x'), vars: {}, limit: 10 };
    const [shown] = await source.candidates(request);
    expect(shown).toMatchObject({ kind: 'procedure', id, score: 0.9 });
    expect(shown?.text).toContain('1. call notes.read with lines 10, path {{path1}}');
    expect(await source.read?.({ kind: 'procedure', id })).toBe(shown?.text);
    expect(await assistantProcedures(kit.services).find(goalOf('x'), 3)).toEqual([]);
    for (const name of ['four', 'five', 'six']) await kit.pursue(goalOf(name), { offer: id, ms: 100 });
    expect(await scoreProcedures(kit.services).score({ by: 'me', dryRun: true })).toEqual({
      scored: 1,
      changed: [id],
    });
    expect(await kit.statusOf(id)).toBe('candidate');
    expect(await scoreProcedures(kit.services).score({ by: 'me', dryRun: false })).toEqual({
      scored: 1,
      changed: [id],
    });
    const [known] = await assistantProcedures(kit.services).find(goalOf('x'), 3);
    expect(known).toMatchObject({ id, trigger: { phrases: ['polish into'] } });
    expect(known?.steps.map(({ input }) => input)).toEqual([
      { path: 'notes/x.md', lines: 10 },
      { path: 'out/x.md', text: 'polished' },
    ]);
  });
});

describe('the record of procedures', () => {
  it('is the same after a refold, and the ledger verifies', async () => {
    const kit = new LearningKit();
    const id = await kit.promoted();
    await kit.pursue(goalOf('seven'), { offer: id, fails: true });
    await kit.procedures.score('tester');
    const before = await kit.procedures.list();
    await kit.ledger.archive.rebuildTables();
    expect(await kit.procedures.list()).toEqual(before);
    expect(kit.ledger.archive.verify().faults).toEqual([]);
  });

  it('does not grow when nothing is new, and grows once when two processes score at the same time', async () => {
    const kit = new LearningKit();
    await kit.pursueThree();
    const [one, other] = await Promise.all([kit.procedures.score('a'), kit.procedures.score('b')]);
    expect([...(one?.proposed ?? []), ...(other?.proposed ?? [])]).toHaveLength(1);
    const { seq } = await kit.ledger.events.head();
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    expect((await kit.ledger.events.head()).seq).toBe(seq);
  });

  it('forgets permanently: no content is left, and the same is not learned again', async () => {
    const kit = new LearningKit();
    await kit.ledger.startWriting();
    const id = await kit.candidate();
    await kit.procedures.forget(id, 'ada');
    expect((await kit.procedures.list()).procedures).toEqual([]);
    const events = await kit.ledger.events.read('procedures');
    expect(events.map(({ type, body }) => [type, body])).toEqual([
      ['procedure.proposed', undefined],
      ['procedure.forgotten', undefined],
    ]);
    await kit.pursue(goalOf('four'));
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    await expect(kit.procedures.show(id)).rejects.toMatchObject({ code: 'procedures.unknown' });
    expect(await verifyLedger(kit.ledger)).toMatchObject({ ok: true, faults: [] });
  });
});

describe('a crash while procedures are scored', () => {
  it('before the commit loses nothing, after it doubles nothing', async () => {
    const kit = new LearningKit(['files.read', 'files.write']);
    await kit.pursueThree();
    const home = tempFolder();
    trustFolder(home, kit.root);
    await kit.ledger.events.sync();
    const die = (where: string) => spawnSync(process.execPath, [scorer, kit.root, home, where]).signal;
    const written = async () => (await kit.ledger.events.read('procedures')).map(({ type }) => type);
    expect(die('before')).toBe('SIGKILL');
    expect(await written()).toEqual([]);
    expect(die('after')).toBe('SIGKILL');
    expect(await written()).toEqual(['procedure.proposed']);
    expect(die('before')).toBeNull();
    expect(await written()).toEqual(['procedure.proposed']);
  });
});

describe('an erasure', () => {
  it('removes what was learned from the erased content, and later scoring changes nothing', async () => {
    const kit = new LearningKit();
    await kit.ledger.startWriting();
    const id = await kit.candidate();
    const { precedents } = await kit.procedures.explain(id);
    const events = await kit.ledger.events.read(`run/${precedents[0]}`);
    const bodies = events.filter(({ body }) => body !== undefined);
    await kit.ledger.archive.erase(
      bodies.map(({ stream, index }) => ({ stream, index })),
      'ada',
      'a wish',
    );
    await kit.pursue(goalOf('four'));
    expect((await kit.procedures.score('tester')).demoted).toEqual([id]);
    expect((await kit.procedures.list()).procedures).toEqual([]);
    const { seq } = await kit.ledger.events.head();
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    expect((await kit.ledger.events.head()).seq).toBe(seq);
    await kit.ledger.archive.rebuildTables();
    expect(kit.ledger.archive.verify().faults).toEqual([]);
  });

  it('stays in effect when a crash happened between the erasure and its event', async () => {
    const kit = new LearningKit();
    await kit.candidate();
    await kit.ledger.archive.erase([{ stream: 'procedures', index: 0 }], 'ada', 'forgotten');
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    expect(await kit.procedures.score('tester')).toMatchObject(NOTHING);
    const types = (await kit.ledger.events.read('procedures')).map(({ type }) => type);
    expect(types).toEqual(['procedure.proposed', 'procedure.forgotten']);
  });
});
