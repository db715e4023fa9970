import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import type { FileEntry, Files } from '../../src/tools/index.ts';
import { AgentWorkspace } from '../support/agent-workspace.ts';
import { expectTruth, fill } from './survey-kit.ts';

describe('counts and sums equal a plain loop over the disk', () => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed))('in generated workspace %i', async (seed) => {
    const workspace = new AgentWorkspace();
    fill(workspace.root, seed, seed * 5);
    await expectTruth(workspace, seed);
  });
});

test('a list of thousands of files is whole', async () => {
  const workspace = new AgentWorkspace();
  mkdirSync(join(workspace.root, 'many'));
  for (let i = 0; i < 3_000; i++) writeFileSync(join(workspace.root, `many/${i}.py`), '');
  const run = await workspace.pursue('list all python files into list.md');
  expect(run.output).toMatchObject({ found: 3_000, leftOut: [] });
  expect(workspace.text('list.md').match(/^- `many\/\d+\.py`$/gm)).toHaveLength(3_000);
});

describe('a folder that cannot be read', () => {
  /** The files of a workspace whose folder `closed` cannot be read, also not by root. */
  class ClosedFiles extends WorkspaceFiles {
    override async *walk(...args: Parameters<Files['walk']>): AsyncGenerator<FileEntry> {
      const [path, options] = args;
      for await (const entry of super.walk(path, { ...options, all: true })) {
        if (entry.path === 'closed') yield { ...entry, closed: 'unreadable' };
        else if (!entry.path.startsWith('closed/') && (options?.all || entry.kind === 'file')) yield entry;
      }
    }
  }
  const given = { 'a.py': 'x = 1 # TODO\n', 'b.py': 'x = 1 # TODO\n', 'closed/c.py': 'x = 2\n' };

  test.each([
    ['how many files are there', 'At least 2 files.'],
    ['how many python files are there', 'At least 2 python files.'],
    ['show disk usage', 'At least '],
    ['count the lines of code', 'At least 2 lines of code'],
    ['find duplicate files', 'At least 1 group'],
    ['list all python files', 'At least 2 python files'],
    ['collect all TODOs', 'At least 2 open lines'],
  ])('makes the answer of "%s" a lower bound, and is named', async (goal, answer) => {
    const workspace = new AgentWorkspace(given);
    const closed = new AgentWorkspace({}, { capabilities: { files: new ClosedFiles(workspace.root) } });
    const run = await closed.pursue(goal);
    expect(run.output).toMatchObject({
      report: expect.stringContaining(`\n\n${answer}`),
      leftOut: ['closed to reading: `closed`'],
    });
  });
});

test('an entry whose name is not valid UTF-8 is named and not left out in silence', async () => {
  const workspace = new AgentWorkspace({ 'a.txt': 'x' });
  const path = Buffer.concat([Buffer.from(`${workspace.root}/`), Buffer.from([0x66, 0xff])]);
  writeFileSync(path, 'y');
  const run = await workspace.pursue('how many files are there');
  expect(run.output).toMatchObject({ count: 1, leftOut: ['closed to reading: `f\uFFFD`'] });
});

test('folders that lie in one another are counted once', async () => {
  const workspace = new AgentWorkspace({ 'src/a.py': '', 'src/lib/b.py': '', 'src/lib/c.py': '' });
  const run = await workspace.pursue('how many python files are in src and src/lib');
  expect(run.output).toMatchObject({ count: 3 });
});
