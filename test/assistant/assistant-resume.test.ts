import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import type { Engine, RunState } from '../../src/engine/index.ts';
import { modelError } from '../../src/models/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { readTool } from '../support/engine-kit.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { answer, assistantEngine, GOAL, goalOf, plan, RoleModel, states, task } from './assistant-kit.ts';

/** An engine that plans by rules in a folder that holds `a.txt`. */
function ruled(): { engine: Engine; root: string } {
  const root = tempFolder();
  writeFileSync(join(root, 'a.txt'), 'peas');
  const engine = assistantEngine(undefined, {
    more: builtInTools().filter(({ name }) => /^(?:files|procedures)\./.test(name)),
    capabilities: { files: new WorkspaceFiles(root) },
  });
  return { engine, root };
}

async function continued(engine: Engine, failed: RunState): Promise<RunState> {
  const run = await engine.resume(failed.id);
  expect(run.lineage.resumedFrom).toBe(failed.id);
  expect(await engine.replayDecisions(run.id)).toMatchObject({ differences: [], notes: [] });
  return run;
}

describe('a failed run of the assistant that is resumed', () => {
  it('keeps finished tasks and retries the failed one', async () => {
    const { engine, root } = ruled();
    const failed = await engine.run({ kind: 'assistant', goal: 'read a.txt, then read b.txt' });
    expect(failed.failure).toMatchObject({ code: 'assistant.task_failed' });
    writeFileSync(join(root, 'b.txt'), 'beans');
    const run = await continued(engine, failed);
    expect(run.output).toMatchObject({
      tasks: [
        { id: 'files-read', output: { content: 'peas' } },
        { id: 'files-read-2', output: { content: 'beans' } },
      ],
    });
    expect((await engine.parts.runs.list({ parent: run.id })).map(({ goal }) => goal)).toEqual([
      'read b.txt',
    ]);
    expect(await states(engine, run)).toEqual(['critique', 'execute', 'critique', 'done']);
  });

  it('fails again when nothing changed, and can be resumed once more', async () => {
    const { engine, root } = ruled();
    const first = await engine.run({ kind: 'assistant', goal: 'read a.txt, then read b.txt' });
    const second = await continued(engine, first);
    expect(second.failure).toMatchObject({ code: 'assistant.task_failed' });
    writeFileSync(join(root, 'b.txt'), 'beans');
    expect((await continued(engine, second)).ended?.status).toBe('completed');
    const [child] = await engine.parts.runs.list({ parent: second.id });
    expect((await engine.load(child?.id ?? '')).vars).toMatchObject({ task: { id: 'files-read-2' } });
  });

  it('asks the planner again when its answers were unusable', async () => {
    const model = new RoleModel({ planner: [{ tasks: 'none' }, { tasks: 'none' }, plan(task('dig'))] });
    const engine = assistantEngine(model);
    const failed = await engine.run(GOAL);
    expect(failed.failure).toMatchObject({ code: 'assistant.plan_unusable' });
    const run = await continued(engine, failed);
    expect(run.output).toMatchObject({ result: 'did: do dig', plans: 1 });
    expect(model.asked.planner[2]?.messages).toHaveLength(1);
  });

  it('repeats the failed check, and no task', async () => {
    let broken = true;
    const check = readTool('assistant.check', () => ({
      results: broken ? [] : [{ ok: true, evidence: 'seen' }],
    }));
    const model = new RoleModel({ planner: [plan(task('dig', { acceptance: [{ file_exists: 'x' }] }))] });
    const engine = assistantEngine(model, { more: [check] });
    const failed = await engine.run(GOAL);
    expect(failed.failure).toMatchObject({ code: 'assistant.check_failed' });
    broken = false;
    expect((await continued(engine, failed)).ended?.status).toBe('completed');
    expect(model.asked.executor.map(goalOf)).toEqual(['do dig']);
  });

  it('asks the critic again after a person had stopped it', async () => {
    const judged = { acceptance: [{ judge: 'it reads well' }] };
    const verdict = (met: boolean) => ({ verdicts: [{ criterion: 'a.1', met, evidence: 'read' }] });
    const model = new RoleModel({
      planner: [plan(task('a', judged))],
      critic: [verdict(false), verdict(true)],
    });
    const engine = assistantEngine(model);
    const asked = await engine.run({ ...GOAL, vars: { model: 'm', replans: 0 } });
    const stopped = await answer(engine, asked, 'stop');
    expect(stopped.failure).toMatchObject({ code: 'assistant.handed_off' });
    expect((await continued(engine, stopped)).ended?.status).toBe('completed');
  });

  it('retries a task whose model was unreachable', async () => {
    const dead = modelError('models.request_failed', 'the line is dead.');
    const model = new RoleModel({
      planner: [plan(task('call'))],
      executor: [dead, dead],
    });
    const engine = assistantEngine(model);
    const asked = await engine.run({ ...GOAL, vars: { model: 'm', replans: 0 } });
    const stopped = await answer(engine, asked, 'stop');
    const run = await continued(engine, stopped);
    expect(run.output).toMatchObject({ result: 'did: do call' });
  });

  it('continues once the folder that a task needs exists again', async () => {
    const { engine, root } = ruled();
    const goal = 'collect the TODOs of src into TODOS.md, then read TODOS.md';
    const failed = await engine.run({ kind: 'assistant', goal });
    expect(failed.failure?.message).toContain('files.not_found');
    mkdirSync(join(root, 'src'));
    const run = await continued(engine, failed);
    expect(run.ended?.status).toBe('completed');
    rmSync(join(root, 'TODOS.md'));
  });
});
