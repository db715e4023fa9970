import { describe, expect, it } from 'vitest';
import { benefitsFromPlanning, composeTasks } from '../../src/assistant/compose-tasks.ts';
import { type KnownProcedure, NO_PROCEDURES, recallProcedures } from '../../src/assistant/index.ts';
import type { TaskGraph } from '../../src/assistant/task-graph.ts';
import type { Evidence } from '../../src/engine/index.ts';
import { builtInTools } from '../../src/tools/index.ts';

const tools = builtInTools();

function composed(goal: string, evidence: readonly Evidence[] = []): TaskGraph {
  const graph = composeTasks({ goal, evidence, tools });
  if (graph === undefined || 'unknown' in graph) throw new Error(`not composed: ${JSON.stringify(graph)}`);
  return graph;
}

/** The tasks of a goal, each with what it waits for. */
function order(goal: string): readonly string[] {
  return composed(goal).tasks.map(({ id, depends_on: needs }) => `${id} < ${needs.join(' ')}`.trim());
}

describe('a goal of several parts, without a model', () => {
  it.each([
    [
      'collect the TODOs into TODOS.md, then find duplicate files and check the links in docs',
      ['collect-todos <', 'find-duplicates < collect-todos', 'check-links < collect-todos'],
    ],
    ['find duplicate files and check the links in docs', ['find-duplicates <', 'check-links <']],
    [
      'Find large files. Then read README.md; finally list src',
      ['find-large-files <', 'files-read < find-large-files', 'files-list < files-read'],
    ],
    [
      '1. collect the TODOs into a.md\n2. read a.md\n3. write "done" to b.txt',
      ['collect-todos <', 'files-read < collect-todos', 'files-write < files-read'],
    ],
    ['read a.txt and read b.txt', ['files-read <', 'files-read-2 <']],
    [
      'read a.txt, write "x" to a.txt, and read a.txt',
      ['files-read <', 'files-write < files-read', 'files-read-2 < files-write'],
    ],
    [
      'search for "old and new, then gone" in src and collect the matches into m.md, then find duplicates',
      ['collect-matches <', 'find-duplicates < collect-matches'],
    ],
  ])('%s', (goal, tasks) => {
    expect(order(goal)).toEqual(tasks);
    expect(benefitsFromPlanning(goal, tools)).toBe(true);
  });

  it('waits in each part for what was changed before', () => {
    expect(order('collect the TODOs into a.md and find duplicate files')).toEqual([
      'collect-todos <',
      'find-duplicates < collect-todos',
    ]);
  });
});

describe('a goal that is one thing', () => {
  it.each([
    'write a brief of this folder to BRIEF.md',
    'search for "old api" in src and collect the matches into out.md',
    'could you gather TODOs and FIXMEs of this project into found.md?',
    'run the tests and summarise the failures',
    'write "first, then second and third" to notes.txt',
    'read README.md',
  ])('stays whole: %s', (goal) => {
    expect(composed(goal).tasks).toMatchObject([{ title: goal, depends_on: [] }]);
    expect(benefitsFromPlanning(goal, tools)).toBe(false);
  });

  it('brings what shows that it was done', () => {
    const acceptance = (goal: string) => composed(goal).tasks[0]?.acceptance;
    expect(acceptance('collect all TODOs in src into T.md')).toEqual([
      { file_contains: { path: 'T.md', text: '# Open TODOs of src' } },
    ]);
    expect(acceptance('rename *.txt to *.md in docs')).toEqual([{ no_policy_violation: true }]);
    expect(acceptance('write "x" to a.txt')).toEqual([{ file_exists: 'a.txt' }]);
    expect(acceptance('find duplicate files')).toEqual([{ task_completed: true }]);
  });
});

describe('a goal that cannot be done', () => {
  it.each(['make me a sandwich', 'philosophise, then dance'])('is not split, and says so: %s', (goal) => {
    expect(composeTasks({ goal, evidence: [], tools })).toMatchObject({
      unknown: expect.stringMatching(/was not understood.*what can you do.*oka model add/),
    });
  });

  it('names the parts that are not understood where others are', () => {
    const goal = 'find duplicate files, then deploy to production';
    expect(composeTasks({ goal, evidence: [], tools })).toMatchObject({
      unknown: expect.stringContaining('These parts are not understood: "deploy to production"'),
    });
    expect(benefitsFromPlanning(goal, tools)).toBe(true);
    expect(benefitsFromPlanning('make me a sandwich and go home', tools)).toBe(false);
  });

  it('is never split where a part speaks of what another names', () => {
    for (const goal of ['find large files and delete them', 'find duplicate files, then delete those'])
      expect(
        benefitsFromPlanning(goal, tools) && 'tasks' in (composeTasks({ goal, evidence: [], tools }) ?? {}),
      ).toBe(false);
  });

  it('is left whole when it is too long to split', () => {
    const goal = 'gärten und wege, '.repeat(500);
    expect(composeTasks({ goal, evidence: [], tools })).toMatchObject({ unknown: expect.any(String) });
  });
});

describe('procedures that people wrote or that were learned', () => {
  const release: KnownProcedure = {
    id: 'p1',
    name: 'release',
    origin: 'file',
    trigger: { phrases: ['prepare the release'], words: [] },
    steps: [
      { title: 'run the tests' },
      {
        title: 'note the version',
        tool: 'files.write',
        input: { path: 'VERSION', content: '2' },
        acceptance: [{ file_contains: { path: 'VERSION', text: '2' } }, { nonsense: true }],
      },
    ],
  };
  const recalled = async (...procedures: readonly KnownProcedure[]): Promise<readonly Evidence[]> =>
    recallProcedures({ find: async () => procedures }).recall({
      goal: '',
      kind: 'assistant',
      vars: {},
      run: { id: 'r' },
    });

  it('are followed step by step, with their calls and criteria', async () => {
    expect(composed('please prepare the next release', await recalled(release)).tasks).toEqual([
      { id: 'release-1', title: 'run the tests', depends_on: [], acceptance: [{ task_completed: true }] },
      {
        id: 'release-2',
        title: 'note the version',
        depends_on: ['release-1'],
        acceptance: [{ file_contains: { path: 'VERSION', text: '2' } }],
        call: { tool: 'files.write', input: { path: 'VERSION', content: '2' } },
      },
    ]);
  });

  it('are not followed where the goal only speaks of them', async () => {
    const evidence = await recalled(release);
    expect(composeTasks({ goal: 'do not prepare the release', evidence, tools })).toHaveProperty('unknown');
    expect(composed('read release.md', evidence).tasks[0]?.id).toBe('files-read');
  });

  it('come before learned ones when people wrote them', async () => {
    const learned: KnownProcedure = { ...release, id: 'p2', name: 'learned', origin: 'promoted' };
    const evidence = await recalled(learned, release);
    expect(composed('prepare the release', evidence).tasks[0]?.id).toBe('release-1');
    expect(benefitsFromPlanning('prepare the release', tools, [release])).toBe(true);
    expect(benefitsFromPlanning('read release.md', tools, [release])).toBe(false);
  });

  it('are recalled for the assistant only, and none are known unless told', async () => {
    const ask = (kind: string) =>
      recallProcedures({ find: async () => [release] }).recall({
        goal: 'x',
        kind,
        vars: {},
        run: { id: 'r' },
      });
    expect(await ask('agent')).toEqual([]);
    expect(await ask('assistant')).toHaveLength(1);
    expect(
      await recallProcedures(NO_PROCEDURES).recall({
        goal: 'x',
        kind: 'assistant',
        vars: {},
        run: { id: 'r' },
      }),
    ).toEqual([]);
  });
});
