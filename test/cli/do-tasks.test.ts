import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { ExplainAnswer, RunAnswer, RunListItem } from '../../src/api/index.ts';
import { Workspace } from './oka-process.ts';
import { noTerminal, Terminal } from './terminal.ts';

const FILES = { 'a.txt': 'same', 'b.txt': 'same', 'src/a.ts': '// TODO dig\n' };
const GOAL = 'collect the TODOs into TODOS.md, then find duplicate files and read a.txt';
const TASKS = ['collect-todos', 'find-duplicates', 'files-read'];

type Output = { tasks: { id: string; status?: string; acceptance?: object[] }[]; result: object };

function workspace(turns?: readonly object[]): Workspace {
  if (turns === undefined) return Workspace.trusted({ files: FILES });
  return Workspace.trusted({
    files: { ...FILES, 'script.json': JSON.stringify({ turns }) },
    config: { models: { actor: { provider: 'scripted', script: 'script.json' } } },
  });
}

async function timeline(place: Workspace, run: string): Promise<readonly string[]> {
  const { data } = await place.answer<ExplainAnswer>('runs', 'explain', run);
  return data.timeline.map(({ state }) => state);
}

test('a goal with several parts is planned as tasks, executed, checked and shown live', async () => {
  const place = workspace();
  const { exitCode, stderr } = await place.oka('do', GOAL);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/plan 1: 3 tasks\n {2}○ collect-todos/);
  expect(stderr).toMatch(/● collect-todos[\s\S]*✓ collect-todos \d[^\n]* m?s [\s\S]*✓ find-duplicates/);
  expect(stderr).not.toContain('\u001b');
  const { data } = await place.answer<{ runs: RunListItem[] }>('runs', 'list');
  const goal = data.runs.find(({ parent }) => parent === undefined);
  expect(goal).toMatchObject({ kind: 'assistant', status: 'completed', goal: GOAL });
  expect(await timeline(place, goal?.id ?? '')).toEqual(['plan', 'execute', 'critique', 'done']);
  expect(place.has('.oka/active_task_graph.json')).toBe(false);
  await place.verified();
});

test('--plan-only shows the tasks with their criteria and executes nothing', async () => {
  const place = workspace();
  const { exitCode, data } = await place.answer<RunAnswer>('do', GOAL, '--plan-only');
  const { tasks } = data.output as unknown as Output;
  expect({ exitCode, status: data.run.status, state: data.run.state }).toEqual({
    exitCode: 0,
    status: 'completed',
    state: 'planned',
  });
  expect(tasks.map(({ id }) => id)).toEqual(TASKS);
  expect(tasks[0]?.acceptance).toEqual([
    { file_contains: { path: 'TODOS.md', text: '# Open TODOs of this folder' } },
  ]);
  expect(place.has('TODOS.md')).toBe(false);
  expect(await timeline(place, data.run.id)).toEqual(['plan', 'planned']);
  const shown = await place.oka('do', GOAL, '--plan-only');
  expect(shown.stdout).toMatch(
    /2 {2}find-duplicates[^\n]*\n {5}after: collect-todos\n {5}accepted when: task completed/,
  );
  const unknown = await place.answer<RunAnswer>('do', 'dance', '--plan-only');
  expect(unknown).toMatchObject({
    exitCode: 1,
    data: { run: { failure: { code: 'agent.goal_not_understood' } } },
  });
});

test('a single-part goal, and any goal with --agent, goes directly to an agent', async () => {
  const place = workspace();
  expect((await place.answer<RunAnswer>('do', 'read a.txt')).data).toMatchObject({
    run: { kind: 'agent' },
    output: { content: 'same' },
  });
  expect(
    (await place.answer<RunAnswer>('do', 'read a.txt, then read b.txt', '--agent', 'anton')).data,
  ).toMatchObject({
    run: { kind: 'agent' },
  });
  const planned = await place.answer<RunAnswer>('do', 'read a.txt', '--autonomy', 'guided');
  expect(planned.data).toMatchObject({ run: { kind: 'assistant' }, output: { result: { content: 'same' } } });
});

test('a model plans the goal, and a blocked goal continues after approval', async () => {
  const task = {
    id: 'note',
    title: 'write the note',
    depends_on: [],
    acceptance: [{ file_contains: { path: 'NOTE.md', text: 'peas' } }],
  };
  const place = workspace([
    { role: 'planner', json: { goal: 'a note', tasks: [task] } },
    {
      role: 'executor',
      once: true,
      tool_calls: [{ tool: 'files.write', input: { path: 'NOTE.md', content: 'peas' } }],
    },
    { role: 'executor', text: 'It is there.' },
  ]);
  const parked = await place.answer<RunAnswer>('do', 'leave a note', '--autonomy', 'manual');
  expect(parked).toMatchObject({
    exitCode: 4,
    data: { run: { kind: 'assistant', status: 'waiting', waitingFor: { what: 'approval' } } },
  });
  expect(JSON.parse(place.text('.oka/active_task_graph.json'))).toMatchObject({
    run: parked.data.run.id,
    tasks: [{ id: 'note', status: 'blocked' }],
  });
  expect(place.has('NOTE.md')).toBe(false);
  await place.answer('approvals', 'approve', parked.data.run.waitingFor?.approval ?? '');
  const { data } = await place.answer<RunAnswer>('runs', 'show', parked.data.run.id);
  expect(data).toMatchObject({ run: { status: 'completed' }, output: { result: 'It is there.', unmet: [] } });
  expect(await timeline(place, data.run.id)).toEqual(['plan', 'execute', 'critique', 'done']);
  const again = await place.answer<RunAnswer>('do', 'leave a note');
  expect(again.data).toMatchObject({ run: { kind: 'assistant', status: 'completed' } });
  await place.verified();
});

test('resuming a failed goal retries only the failed task', async () => {
  const place = workspace();
  const failed = await place.answer<RunAnswer>('do', 'read a.txt, then read c.txt');
  expect(failed).toMatchObject({
    exitCode: 1,
    data: { run: { failure: { code: 'assistant.task_failed' } } },
  });
  place.put('c.txt', 'late');
  const { exitCode, data } = await place.answer<RunAnswer>('runs', 'resume', failed.data.run.id);
  expect({ exitCode, from: data.run.resumedFrom }).toEqual({ exitCode: 0, from: failed.data.run.id });
  expect(data.output).toMatchObject({ result: { content: 'late' } });
});

test('the task list updates in place on a terminal', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const terminal = new Terminal(workspace(), ['do', GOAL]);
  expect(await terminal.exitCode()).toBe(0);
  const shown = await terminal.shows(/done in/);
  expect(shown).toContain('\u001b[3A');
  expect(stripVTControlCharacters(shown)).toMatch(
    /✓ collect-todos[^\n]* m?s[^\n]*\s+✓ find-duplicates[^\n]*\s+✓ files-read/,
  );
});
