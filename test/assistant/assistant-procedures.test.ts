import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { BUILT_IN_PROCEDURES } from '../../src/agent/procedures/built-in-procedures.ts';
import { type Engine, MemoryArtifactStore, type RunState } from '../../src/engine/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import { builtInTools, type RefusalReader } from '../../src/tools/index.ts';
import { effectTool, readTool } from '../support/engine-kit.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { assistantEngine, states } from './assistant-kit.ts';

const FILES = {
  'README.md': '# Garden\n\nBeds and [paths](src/a.ts), and [nothing](none.md).\n',
  'src/a.ts': '// TODO dig\nconst old = "old api";\n',
  'src/b.ts': '// TODO dig\nconst old = "old api";\n',
  'copy/a.ts': '// TODO dig\n',
  'data.csv': 'name,size\npeas,1\nbeans,2\n',
  'texts/one.txt': 'one',
  'package.json': '{ "scripts": { "test": "node --test" } }',
};

/** An engine that works in a folder by rules; programs print what a test run prints. */
function garden(): { engine: Engine; root: string } {
  const root = tempFolder();
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const program = effectTool('process.run', () => ({
    exitCode: 1,
    signal: null,
    stdout: 'TAP version 13\nok 1 - digs\nnot ok 2 - sows\n1..2\n',
    stderr: '',
    timedOut: false,
    truncated: false,
  }));
  const refusals: RefusalReader = { below: async () => [] };
  const artifacts = new MemoryArtifactStore(new ManualClock());
  const engine = assistantEngine(undefined, {
    more: [...builtInTools().filter(({ name }) => /^(?:files|procedures)\./.test(name)), program],
    artifacts,
    capabilities: { files: new WorkspaceFiles(root), artifacts, refusals },
  });
  return { engine, root };
}

/** Works on a goal; whatever is asked is answered with yes. */
async function pursue(engine: Engine, goal: string): Promise<RunState> {
  let run = await engine.run({ kind: 'assistant', goal });
  for (let asked = 0; !run.ended && asked < 3; asked++) {
    const [open] = await engine.parts.runs.approvals({ status: 'pending' });
    if (open === undefined) break;
    await engine.decide(open.id, { kind: 'answer', answer: 'yes' }, 'ann');
    await engine.resume(open.run);
    run = await engine.load(run.id);
  }
  return run;
}

/** Ways to ask for each procedure, and what its result has to hold. */
const GOALS: Readonly<Record<string, { readonly goals: readonly string[]; readonly result: object }>> = {
  'brief-folder': {
    goals: [
      'write a brief of this folder to OUT.md',
      'please summarise this project into OUT.md',
      'give me an overview of src to OUT.md',
    ],
    result: { brief: 'OUT.md' },
  },
  'collect-todos': {
    goals: [
      'collect all TODOs in src into OUT.md',
      'write OUT.md with all TODOs in src',
      'could you gather the TODO comments of src into a note called "OUT.md"?',
    ],
    result: { todos: 2, note: 'OUT.md' },
  },
  'collect-matches': {
    goals: [
      'search for "old api" in src and collect the matches into OUT.md',
      'write the lines with "old api" to OUT.md',
      'collect every mention of "old api" into OUT.md',
    ],
    result: { note: 'OUT.md' },
  },
  'find-large-files': {
    goals: ['find large files', 'show me the 3 largest files in src', 'write the biggest files to OUT.md'],
    result: { checks: expect.any(Array) },
  },
  'find-duplicates': {
    goals: [
      'find duplicate files',
      'which files have the same content?',
      'write a report of duplicate files in src to OUT.md',
    ],
    result: { groups: [['src/a.ts', 'src/b.ts']] },
  },
  'compare-folders': {
    goals: [
      'compare the folders src and copy',
      'show the differences between folder src and folder copy',
      'please diff src/ and copy/ into OUT.md',
    ],
    result: { one: 'src', other: 'copy' },
  },
  'check-links': {
    goals: [
      'check the links of README.md',
      'find broken links',
      'please verify all links in README.md and write a report to OUT.md',
    ],
    result: { broken: [{ target: 'none.md' }] },
  },
  'summarise-data': {
    goals: [
      'summarise data.csv',
      'what columns does data.csv have?',
      'summarize the file data.csv into OUT.md',
    ],
    result: { file: 'data.csv' },
  },
  'run-tests': {
    goals: [
      'run the tests',
      'please run the tests and summarise the failures',
      'run "node --test" and write the failing tests to OUT.md',
    ],
    result: { failures: ['sows'] },
  },
  'rename-files': {
    goals: [
      'rename *.txt to *.md in texts',
      'in texts/, rename *.txt as *.md',
      'could you rename every file *.txt to *.md under texts?',
    ],
    result: { renamed: [{ from: 'texts/one.txt', to: 'texts/one.md' }] },
  },
};

describe('a procedure runs as a task that is checked', () => {
  it('and is tested with at least three phrasings', () => {
    expect(BUILT_IN_PROCEDURES.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(GOALS)));
    expect(Math.min(...Object.values(GOALS).map(({ goals }) => goals.length))).toBeGreaterThanOrEqual(3);
  });

  const cases = Object.entries(GOALS).flatMap(([name, { goals, result }]) =>
    goals.map((goal) => [goal, name, result] as const),
  );
  it.each(cases)('%s', async (goal, name, result) => {
    const { engine } = garden();
    const run = await pursue(engine, goal);
    expect(run.failure).toBeUndefined();
    expect(await states(engine, run)).toEqual(['plan', 'execute', 'critique', 'done']);
    expect(run.output).toMatchObject({ result, tasks: [{ id: name, status: 'done' }], unmet: [] });
  });

  it('and is rejected when its output file fails the check', async () => {
    const { engine } = garden();
    const asked = await engine.run({ kind: 'assistant', goal: 'collect all TODOs in src into OUT.md' });
    const check = asked.evidence.find(({ tool }) => tool === 'assistant.check');
    expect(check?.input as Json).toEqual({
      criteria: [{ file_contains: { path: 'OUT.md', text: '# Open TODOs of src' } }],
    });
    const none = readTool('assistant.check', () => ({ results: [{ ok: false, evidence: 'it is gone' }] }));
    const root = tempFolder();
    const blind = assistantEngine(undefined, {
      more: [...builtInTools().filter(({ name }) => /^(?:files|procedures)\./.test(name)), none],
      capabilities: { files: new WorkspaceFiles(root) },
    });
    const run = await blind.run({ kind: 'assistant', goal: 'collect all TODOs into OUT.md' });
    expect(run.waiting).toMatchObject({
      for: 'answer',
      options: ['try again', 'accept it as it is', 'stop'],
    });
  });
});
