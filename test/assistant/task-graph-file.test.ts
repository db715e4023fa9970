import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TaskGraphJson } from '../../src/adapters/workspace/index.ts';
import type { Engine, Policy } from '../../src/engine/index.ts';
import { TaskGraphFile } from '../../src/runtime/runs/task-graph-file.ts';
import { effectTool, openApproval } from '../support/engine-kit.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ALLOW, assistantEngine, GOAL, plan, RoleModel, task } from './assistant-kit.ts';

const ASK: Policy = {
  version: 'ask',
  decide: (asked) =>
    asked.tool.name === 'files.change'
      ? { decision: 'ask', rule: 'test', why: 'it changes' }
      : ALLOW.decide(asked),
};

/** An engine whose goal waits with the first of two tasks. */
function gardening(): Engine {
  const act = () => ({
    finish: 'tool_calls' as const,
    toolCalls: [{ id: 'c', tool: 'files.change', input: {} }],
  });
  const model = new RoleModel({
    planner: [plan(task('dig'), task('sow', { depends_on: ['dig'] }))],
    executor: [act],
  });
  return assistantEngine(model, { more: [effectTool('files.change', () => 'changed')], policy: ASK });
}

function fileOf(engine: Engine, folder: string, onWarning?: (what: string) => void): TaskGraphFile {
  const { events, runs } = engine.parts;
  return new TaskGraphFile({ file: new TaskGraphJson(folder), events, runs, onWarning });
}

/** What stands in the file. */
function shown(folder: string): { run?: string; status?: string; tasks?: { id: string; status: string }[] } {
  return JSON.parse(readFileSync(join(folder, 'active_task_graph.json'), 'utf8'));
}

describe('active_task_graph.json', () => {
  it('follows the newest unfinished goal, and is removed when it is done', async () => {
    const folder = tempFolder();
    const engine = gardening();
    const file = fileOf(engine, folder);
    expect(await file.start()).toBe(false);
    const parked = await engine.run(GOAL);
    await file.close();
    expect(shown(folder)).toMatchObject({
      version: 1,
      run: parked.id,
      goal: GOAL.goal,
      status: 'waiting',
      plan: 1,
      tasks: [
        { id: 'dig', status: 'blocked', acceptance: [{ task_completed: true }] },
        { id: 'sow', status: 'pending', depends_on: ['dig'] },
      ],
    });

    const later = fileOf(engine, folder);
    expect(await later.start()).toBe(false);
    const { id, run } = await openApproval(engine);
    await engine.decide(id, { kind: 'approve' }, 'ann');
    await engine.resume(run);
    await later.close();
    expect((await engine.load(parked.id)).ended?.status).toBe('completed');
    expect(existsSync(join(folder, 'active_task_graph.json'))).toBe(false);
  });

  it('is repaired at startup, whatever the file contains, and follows no link', async () => {
    const folder = tempFolder();
    const engine = gardening();
    const parked = await engine.run(GOAL);
    const path = join(folder, 'active_task_graph.json');
    writeFileSync(path, '{ "run": "forged", "tasks": [');
    const first = fileOf(engine, folder);
    expect(await first.start()).toBe(true);
    await first.close();
    expect(shown(folder).run).toBe(parked.id);

    const elsewhere = tempFolder();
    const outside = join(tempFolder(), 'outside.txt');
    writeFileSync(outside, 'mine');
    symlinkSync(outside, join(elsewhere, 'active_task_graph.json'));
    const second = fileOf(engine, elsewhere);
    await second.start();
    await second.close();
    expect(readFileSync(outside, 'utf8')).toBe('mine');
    expect(lstatSync(join(elsewhere, 'active_task_graph.json')).isFile()).toBe(true);
  });

  it('is removed when no goal is unfinished, and is not written for runs of agents', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'active_task_graph.json'), '{}');
    const engine = assistantEngine(undefined);
    const file = fileOf(engine, folder);
    expect(await file.start()).toBe(true);
    await engine.run({ kind: 'agent', goal: 'dance' });
    await file.close();
    expect(existsSync(join(folder, 'active_task_graph.json'))).toBe(false);
  });

  it('stops no run when it cannot be written, and warns once', async () => {
    const troubles: string[] = [];
    const engine = gardening();
    const file = fileOf(engine, join(tempFolder(), 'absent'), (what) => troubles.push(what));
    await file.start();
    expect((await engine.run(GOAL)).waiting).toBeDefined();
    await file.close();
    expect(troubles).toEqual([expect.stringContaining('active_task_graph.json could not be kept')]);
  });
});
