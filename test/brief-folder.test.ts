import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OverlayFiles } from '../src/adapters/files/index.ts';
import { digestOf } from '../src/kernel/index.ts';
import { AgentWorkspace } from './support/agent-workspace.ts';

const GOAL = 'write a brief of this folder to BRIEF.md';
const PROJECT = {
  'README.md':
    '---\ntitle: x\n---\n# Teapot\n\n[![badge](x)](y)\n\nTeapot keeps tea warm\nfor a long time.\n\n## Use\n\nPour.\n',
  'package.json': JSON.stringify({ name: 'teapot', scripts: { build: 'tsc', test: 'vitest run' } }),
  'docs/guide.md': '# The guide\n\nHow to pour.\n',
  'src/main.ts': '// Starts the pot.\nimport "./lid.ts";\n// TODO: warm it\n',
  'src/lid.ts': 'export const lid = 1; // FIXME fits badly\nconst todos = []; // not a todo\n',
  'src/a/b/c/deep.ts': 'export {};\n',
  'logo.png': 'binary',
  '.gitignore': 'dist/\n',
  'dist/out.js': '// TODO: generated\n',
};

describe('a brief of a folder', () => {
  it('describes the folder, its layout and its open tasks', async () => {
    const workspace = new AgentWorkspace(PROJECT);
    const run = await workspace.pursue(GOAL);
    expect(run.failure).toBeUndefined();
    expect(workspace.text('BRIEF.md')).toBe(`# Brief of Teapot

Teapot keeps tea warm for a long time.

## Layout

- 7 files, 329 bytes: 2 \`.md\`, 2 \`.ts\`, 1 \`.json\`, 1 \`.png\`, 1 no extension
- \`docs/\`: 1 file, 26 bytes: 1 \`.md\`
- \`src/\`: 2 files, 129 bytes: 2 \`.ts\`
- at the top: \`.gitignore\`, \`README.md\`, \`logo.png\`, \`package.json\`

## Key files

- \`README.md\`: Teapot
- \`package.json\`: teapot
- \`docs/guide.md\`: The guide
- \`src/main.ts\`: Starts the pot.
- \`src/lid.ts\`: exports lid

## Scripts

- \`build\`: \`tsc\`
- \`test\`: \`vitest run\`

## Open TODOs

- \`src/lid.ts:1\` export const lid = 1; // FIXME fits badly
- \`src/main.ts:3\` // TODO: warm it

## Not read

- 2 of 7 files were only listed
- deeper than 3 levels: \`src/a/b/\`
`);
    const content = workspace.text('BRIEF.md');
    const bytes = Buffer.byteLength(content);
    expect(run.output).toEqual({
      brief: 'BRIEF.md',
      folder: '.',
      files: 7,
      read: 5,
      todos: 2,
      bytes,
      digest: digestOf(content),
    });
    expect(run.artifacts).toMatchObject([
      { name: 'BRIEF.md', mediaType: 'text/markdown', digest: digestOf(content) },
    ]);
  });

  it('visits every state, explains each step, and takes the same decisions on replay', async () => {
    const workspace = new AgentWorkspace(PROJECT);
    const run = await workspace.pursue(GOAL);
    expect(await workspace.retell(run)).toEqual({
      states: ['intake', 'explore', 'decide', 'act', 'validate', 'done'],
      tools: [
        'files.list',
        ...Array.from({ length: 5 }, () => 'files.read'),
        'files.search',
        'files.search',
        'procedures.write',
        'files.read',
      ],
      differences: [],
    });
    const { actions } = await workspace.engine.explain(run.id);
    expect(actions.every(({ rationale }) => rationale.length > 10)).toBe(true);
    expect(actions[0]?.rationale).toContain(
      '"write brief" calls for the procedure brief-folder with {"folder":".","target":"BRIEF.md"}',
    );
  });

  it.each(['BRIEF.md', 'notes/new/BRIEF.md', 'docs/BRIEF.md'])(
    'gives the same result the second time: %s',
    async (target) => {
      const workspace = new AgentWorkspace(PROJECT);
      const goal = `write a brief of this folder to ${target}`;
      await workspace.pursue(goal);
      const first = workspace.text(target);
      const again = await workspace.pursue(goal);
      expect(again.ended?.status).toBe('completed');
      expect(workspace.text(target)).toBe(first);
      expect(first).not.toContain('BRIEF.md');
    },
  );

  it('is undone to the previous content', async () => {
    const workspace = new AgentWorkspace({ ...PROJECT, 'BRIEF.md': 'mine' });
    const run = await workspace.pursue(GOAL);
    expect(workspace.text('BRIEF.md')).toContain('Teapot');
    expect((await workspace.engine.undo(run.id, 'tester')).changes).toMatchObject([
      { restored: true, what: 'restored BRIEF.md' },
    ]);
    expect(workspace.text('BRIEF.md')).toBe('mine');
    await expect(workspace.engine.undo(run.id, 'tester')).rejects.toMatchObject({
      code: 'engine.nothing_to_undo',
    });
    expect(workspace.text('BRIEF.md')).toBe('mine');
  });

  it.each([
    ['summarise docs into docs/SUMMARY.md', 'docs', 'docs/SUMMARY.md'],
    ['Summarize the folder docs to docs/', 'docs', 'docs/BRIEF.md'],
    ['write a summary of the docs to "my notes.md"', 'docs', 'my notes.md'],
  ])('understands: %s', async (goal, folder, brief) => {
    const workspace = new AgentWorkspace(PROJECT);
    const run = await workspace.pursue(goal);
    expect(run).toMatchObject({ ended: { status: 'completed' }, output: { folder, brief } });
    expect(existsSync(join(workspace.root, brief))).toBe(true);
    expect((await workspace.retell(run)).differences).toEqual([]);
  });

  it.each([
    ['brief this project', '.'],
    ['please give me an overview of src', 'src'],
    ['summarise this folder', '.'],
    ['brief ./docs/', 'docs'],
    ['what is this folder about?', '.'],
    ['write a brief of docs', 'docs'],
  ])('answers and writes no file that the goal does not name: %s', async (goal, folder) => {
    const workspace = new AgentWorkspace({ ...PROJECT, 'BRIEF.md': 'by hand' });
    const run = await workspace.pursue(goal);
    expect(run).toMatchObject({
      ended: { status: 'completed' },
      output: { folder, report: expect.stringContaining('# Brief of ') },
    });
    expect(workspace.text('BRIEF.md')).toBe('by hand');
    expect(await workspace.retell(run)).toMatchObject({ differences: [] });
  });

  it.each([
    '# Pot\nBoils water.\n',
    'Pot\n===\nBoils water.\n\nMore.\n',
    '# Pot #\r\nBoils water.\r\n## Use\nx',
  ])('reads a heading that no empty line follows: %j', async (readme) => {
    const workspace = new AgentWorkspace({ 'README.md': readme });
    const run = await workspace.pursue('summarise this folder');
    expect(run.output).toMatchObject({
      report: expect.stringMatching(/^# Brief of Pot\n\nBoils water\.\n/),
    });
  });

  it.each(['summarise README.md', 'write a summary of the quarterly sales numbers'])(
    'ignores a goal that is not about a folder: %s',
    async (goal) => {
      const workspace = new AgentWorkspace(PROJECT);
      const run = await workspace.pursue(goal);
      expect(run.ended?.status).not.toBe('completed');
      expect(existsSync(join(workspace.root, 'BRIEF.md'))).toBe(false);
    },
  );

  it('skips a file that cannot be read and says so', async () => {
    const workspace = new AgentWorkspace({ 'README.md': 'zero\0byte', 'a.md': '# A\n' });
    const run = await workspace.pursue(GOAL);
    expect(run.output).toMatchObject({ files: 2, read: 1 });
    expect(workspace.text('BRIEF.md')).toContain('- `README.md`: "README.md" is not UTF-8 text');
    expect((await workspace.retell(run)).differences).toEqual([]);
  });

  it('writes a brief of an empty folder', async () => {
    const workspace = new AgentWorkspace();
    await workspace.pursue(GOAL);
    expect(workspace.text('BRIEF.md')).toBe(
      '# Brief of this folder\n\nThe folder is empty.\n\n## Open TODOs\n\n- none found\n',
    );
  });

  it('fails when the folder does not exist, and when the target is protected', async () => {
    const workspace = new AgentWorkspace(PROJECT);
    expect(await workspace.pursue('brief absent')).toMatchObject({ failure: { code: 'files.not_found' } });
    const run = await workspace.pursue('write a brief of this folder to POLICY.md');
    expect(run).toMatchObject({ failure: { code: 'files.protected' } });
    expect(await workspace.retell(run)).toMatchObject({
      states: ['intake', 'explore', 'decide', 'act', 'failed'],
      differences: [],
    });
  });

  it('lists fewer levels where the whole list is too large for the record', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [
        `deep/${'x'.repeat(200)}/${String(i).padStart(3, '0')}.ts`,
        'x',
      ]),
    );
    const workspace = new AgentWorkspace({ ...files, 'README.md': '# Deep\n' });
    const run = await workspace.pursue(GOAL);
    expect(run.output).toMatchObject({ files: 1 });
    expect(workspace.text('BRIEF.md')).toContain('- deeper than 2 levels: ');
  });

  it('keeps text from files from breaking the document', async () => {
    const workspace = new AgentWorkspace({
      'README.md': '# Te\u202ea `pot`\n',
      'we`ird.md': '# a\u0007b\n',
      'x.ts': `// TODO ${'long '.repeat(100)}\n`,
    });
    await workspace.pursue(GOAL);
    const brief = workspace.text('BRIEF.md');
    expect(brief).toContain('# Brief of Tea `pot`\n');
    expect(brief).toContain('- `` we`ird.md ``: ab\n');
    expect(Math.max(...brief.split('\n').map((line) => line.length))).toBeLessThan(260);
  });

  it('changes nothing when simulated, and reports what it would change', async () => {
    const outside = new AgentWorkspace(PROJECT);
    const overlay = new OverlayFiles(outside.files);
    const artifacts = outside.engine.parts.artifacts;
    const simulated = new AgentWorkspace(
      {},
      { simulate: true, artifacts, capabilities: { files: overlay, artifacts } },
    );
    const run = await simulated.pursue(GOAL);
    expect(run.ended?.status).toBe('completed');
    expect(await overlay.changes()).toMatchObject([{ path: 'BRIEF.md', change: 'created' }]);
    expect(existsSync(join(outside.root, 'BRIEF.md'))).toBe(false);
  });
});
