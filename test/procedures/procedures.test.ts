import { chmodSync, existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OverlayFiles } from '../../src/adapters/files/index.ts';
import type { RunState } from '../../src/engine/index.ts';
import { AgentWorkspace } from '../support/agent-workspace.ts';

const ACTING = ['intake', 'explore', 'decide', 'act', 'validate', 'done'];
const READING = ['intake', 'explore', 'decide', 'done'];
const root = process.getuid?.() === 0;

/** A finished run, told again: its states, and what it would decide otherwise. */
async function finished(
  workspace: AgentWorkspace,
  goal: string,
  states: readonly string[],
): Promise<RunState> {
  const run = await workspace.pursue(goal);
  expect(run.failure).toBeUndefined();
  expect(await workspace.retell(run)).toMatchObject({ states, differences: [] });
  return run;
}

describe('collecting TODOs', () => {
  const FILES = {
    'src/a.ts': 'const a = 1; // TODO: name it\n\n# FIXME later\nconst text = "TODO not me";\n',
    'src/b c.py': '# TODO tidy\n',
    'src/none.ts': 'export {};\n',
    'other.ts': '// TODO elsewhere\n',
  };

  it('writes them by file with line numbers, the same the second time, and can be undone', async () => {
    const workspace = new AgentWorkspace(FILES);
    const run = await finished(workspace, 'collect all TODOs in src into src/TODOS.md', ACTING);
    const note = workspace.text('src/TODOS.md');
    expect(note).toBe(
      [
        '# Open TODOs of src',
        '',
        '3 open lines in 2 files of `src`.',
        '',
        '## `src/a.ts` (2)',
        '',
        '- line 1: `const a = 1; // TODO: name it`',
        '- line 3: `# FIXME later`',
        '',
        '## `src/b c.py` (1)',
        '',
        '- line 1: `# TODO tidy`',
        '',
      ].join('\n'),
    );
    expect(run.output).toMatchObject({ note: 'src/TODOS.md', todos: 3, files: 2, leftOut: [] });
    await finished(workspace, 'collect all TODOs in src into src/TODOS.md', ACTING);
    expect(workspace.text('src/TODOS.md')).toBe(note);
    await workspace.engine.undo(run.id, 'tester');
    expect(existsSync(join(workspace.root, 'src/TODOS.md'))).toBe(false);
  });

  it('finds markers in the middle of lines and in prose, and counts them by file', async () => {
    const workspace = new AgentWorkspace({
      'a.ts':
        'run(); // x TODO: y\n// FIXME(bob) later\nconst TODO_LIST = [];\nimport "./TODO.js";\nlog("a TODO b");\n',
      'b.md':
        'we should TODO this\nMy todo list is long.\nThe word `TODO` marks it, "TODO" too.\n- todo: milk\nHe said "TODO this".\n',
      'c.py': '# todo(ann): later\nx = 1  # the todo list\n',
      'd.md': 'See TODO.md and the TODOs.\n',
    });
    const run = await finished(workspace, 'count the TODOs per file', READING);
    expect(run.output).toMatchObject({
      todos: 6,
      byFile: { 'a.ts': 2, 'b.md': 3, 'c.py': 1 },
      report: expect.stringContaining('- 2 lines with "todo" as an ordinary word in small letters'),
      leftOut: [],
    });
  });

  it('does not count its own reports', async () => {
    const workspace = new AgentWorkspace({
      ...FILES,
      'brain/TODOS.md': '# TODOs\n\n- TODO parked\n',
      'hand.md': 'TODO by hand\n',
    });
    for (const goal of ['collect the TODOs into TODOS.md', 'write a brief of this folder to BRIEF.md'])
      await finished(workspace, goal, ACTING);
    const run = await finished(workspace, 'list the TODOs', READING);
    expect(run.output).toMatchObject({
      todos: 5,
      byFile: { 'hand.md': 1, 'other.ts': 1, 'src/a.ts': 2, 'src/b c.py': 1 },
    });
  });

  it('answers with the report when no note is requested, and writes nothing', async () => {
    const workspace = new AgentWorkspace(FILES);
    const run = await finished(workspace, 'please list the TODOs', READING);
    expect(run.output).toMatchObject({
      todos: 4,
      report: expect.stringContaining('- line 1: `// TODO elsewhere`'),
    });
    expect((await workspace.retell(run)).tools).toEqual(['files.search', 'files.search']);
  });

  it('searches a folder whose name is an everyday word, and the whole workspace if there is none', async () => {
    const goal = 'collect all TODOs in notes into TODOS.md';
    const without = new AgentWorkspace(FILES);
    expect((await finished(without, goal, ACTING)).output).toMatchObject({ folder: '.', todos: 4 });
    const beside = new AgentWorkspace({ ...FILES, 'notes/a.md': 'TODO water\n' });
    expect((await finished(beside, goal, ACTING)).output).toMatchObject({ folder: 'notes', todos: 1 });
  });

  it('handles no matches, binary files, more lines than fit the record, and a missing folder', async () => {
    const empty = await finished(new AgentWorkspace(), 'list the TODOs', READING);
    expect(empty.output).toMatchObject({ todos: 0, report: expect.stringContaining('No TODO or FIXME') });
    const many = new AgentWorkspace({
      'a.bin': 'TODO \0',
      'b.ts': Array.from({ length: 1_200 }, (_, i) => `// TODO ${i} ${'x'.repeat(80)}`).join('\n'),
    });
    const run = await finished(many, 'collect TODOs into T.md', ACTING);
    expect(run.output).toMatchObject({
      todos: 1_200,
      leftOut: [],
    });
    expect(many.text('T.md')).toContain('- line 1200: ');
    expect(many.text('T.md')).toContain('1 file that is not text');
    const absent = await new AgentWorkspace().pursue('list the TODOs in absent/');
    expect(absent).toMatchObject({ failure: { code: 'files.not_found' } });
  });

  it('does not write a protected file', async () => {
    const workspace = new AgentWorkspace(FILES);
    const run = await workspace.pursue('collect the TODOs into .git/TODOS.md');
    expect(run).toMatchObject({ failure: { code: 'files.protected' } });
    expect((await workspace.retell(run)).differences).toEqual([]);
  });
});

describe('collecting matches', () => {
  it('writes the lines that contain a text, without those of an older note', async () => {
    const workspace = new AgentWorkspace({
      'a.md': 'one\nthe Old API is gone\n',
      'b.md': 'old api again\n',
      'out.md': 'old api\n',
    });
    const goal = 'search for "old api" and collect the matches into out.md';
    const run = await finished(workspace, goal, ACTING);
    expect(run.output).toMatchObject({ query: 'old api', matches: 2, files: 2 });
    expect(workspace.text('out.md')).toContain('## `a.md`\n\n- line 2: `the Old API is gone`\n');
    await workspace.engine.undo(run.id, 'tester');
    expect(workspace.text('out.md')).toBe('old api\n');
  });

  it('reports that nothing was found', async () => {
    const workspace = new AgentWorkspace();
    await finished(workspace, 'collect every mention of Acme into acme.md', ACTING);
    expect(workspace.text('acme.md')).toBe('# Matches\n\nNo line in this folder holds `Acme`.\n');
  });
});

describe('finding large files', () => {
  it('lists the largest first, up to the requested number', async () => {
    const workspace = new AgentWorkspace({
      'a.txt': 'x'.repeat(3_000),
      'b/c d.txt': 'x'.repeat(5_000),
      'e.txt': 'x',
    });
    const run = await finished(workspace, 'show me the 2 largest files', READING);
    expect(run.output).toMatchObject({
      files: 3,
      large: [
        { path: 'b/c d.txt', bytes: 5_000 },
        { path: 'a.txt', bytes: 3_000 },
      ],
    });
    const above = await finished(workspace, 'find files larger than 4 kB and write them to big.md', ACTING);
    expect(above.output).toMatchObject({ large: [{ path: 'b/c d.txt' }] });
    expect(workspace.text('big.md')).toContain('- 5.0 kB: `b/c d.txt`\n');
  });

  it('handles empty folders, huge files, unreadable folders, and names with line breaks', async () => {
    const empty = await finished(new AgentWorkspace(), 'find large files', READING);
    expect(empty.output).toMatchObject({ files: 0, large: [] });
    const workspace = new AgentWorkspace({ 'line\nbreak.txt': 'abc', 'closed/in.txt': 'x' });
    writeFileSync(join(workspace.root, 'huge.bin'), '');
    truncateSync(join(workspace.root, 'huge.bin'), 3_000_000_000);
    if (!root) chmodSync(join(workspace.root, 'closed'), 0o000);
    const run = await finished(workspace, 'find large files', READING);
    if (!root) chmodSync(join(workspace.root, 'closed'), 0o755);
    expect(run.output).toMatchObject({
      report: expect.stringContaining('- 3.0 GB: `huge.bin`\n- 3 bytes: `line break.txt`'),
    });
    if (!root) expect(run.output).toMatchObject({ leftOut: ['closed to reading: `closed`'] });
  });
});

describe('finding duplicates', () => {
  it('groups files by content and reads only those that share their size', async () => {
    const workspace = new AgentWorkspace({
      'a.txt': 'same',
      'b/copy of a.txt': 'same',
      'c.txt': 'diff',
      'd.txt': 'longer than the others',
      'e.txt': '',
      'f.txt': '',
    });
    const run = await finished(workspace, 'find duplicate files and write them to dup.md', ACTING);
    expect(run.output).toMatchObject({ groups: [['a.txt', 'b/copy of a.txt']], wastedBytes: 4, files: 6 });
    expect(workspace.text('dup.md')).toContain('## 2 files of 4 bytes\n\n- `a.txt`\n- `b/copy of a.txt`\n');
    expect((await workspace.retell(run)).tools).toEqual(['files.survey', 'procedures.write', 'files.read']);
  });

  it('distinguishes binary files', async () => {
    const workspace = new AgentWorkspace();
    for (const [name, bytes] of [
      ['a.png', [0x89, 1]],
      ['b.png', [0x89, 1]],
      ['c.bin', [0, 1]],
      ['d.bin', [0, 1]],
    ] as const)
      writeFileSync(join(workspace.root, name), Uint8Array.from([...bytes, 2, 3, 4]));
    const run = await finished(workspace, 'are there any identical files here?', READING);
    expect(run.output).toMatchObject({
      groups: [
        ['a.png', 'b.png'],
        ['c.bin', 'd.bin'],
      ],
    });
  });
});

describe('comparing folders', () => {
  const FILES = {
    'old/a.txt': '1',
    'old/b.txt': 'same',
    'old/c d.txt': '12',
    'old/e.txt': '1234',
    'new/b.txt': 'same',
    'new/c d.txt': '34',
    'new/e.txt': '12',
    'new/sub/f.txt': 'x',
  };

  it('lists what is only in one folder, what differs and what is equal', async () => {
    const workspace = new AgentWorkspace(FILES);
    const run = await finished(workspace, 'please compare old/ with new/ and write it to diff.md', ACTING);
    expect(run.output).toMatchObject({
      same: false,
      onlyInOne: ['a.txt'],
      onlyInOther: ['sub/f.txt'],
      different: ['c d.txt', 'e.txt'],
      equal: 1,
    });
    expect(workspace.text('diff.md')).toContain(
      '## Only in `old`\n\n- `a.txt`\n\n## Only in `new`\n\n- `sub/f.txt`\n',
    );
  });

  it('compares two files line by line, and others by their digests', async () => {
    const workspace = new AgentWorkspace({
      'a.txt': 'one\ntwo\n',
      'b.txt': 'one\nthree\nfour\n',
      'a.bin': '\0\u0001',
      'b.bin': '\0\u0001',
      'c.bin': '\0\u0002',
      'x.json': '{"a":1,"b":2}',
      'y.json': '{ "b": 2, "a": 1 }',
      one: 'same',
      'folder/one': 'same',
    });
    const told = async (goal: string) => (await finished(workspace, goal, READING)).output;
    expect(await told('compare a.txt and b.txt')).toMatchObject({
      same: false,
      added: 2,
      removed: 1,
      report: expect.stringMatching(/2 lines added, 1 removed.*```diff.*-two\n\+three\n\+four\n```/s),
    });
    expect(await told('are a.bin and b.bin the same?')).toMatchObject({ same: true, leftOut: [] });
    expect(await told('is a.bin the same as c.bin?')).toMatchObject({ same: false });
    expect(await told('what is different between x.json and y.json')).toMatchObject({ sameJson: true });
    expect(await told('diff one folder/one')).toMatchObject({ same: true });
    const mixed = await workspace.pursue('compare a.txt with folder');
    expect(mixed.failure?.message).toBe(
      'a.txt is a file and folder is a folder; name two folders or two files.',
    );
  });

  it('compares a folder with one inside it, and with an empty one', async () => {
    const workspace = new AgentWorkspace({ 'a.txt': '1', 'copy/a.txt': '1' });
    mkdirSync(join(workspace.root, 'empty'));
    const inside = await finished(workspace, 'compare this folder with copy/', READING);
    expect(inside.output).toMatchObject({ same: true, equal: 1 });
    const empty = await finished(workspace, 'compare the folders copy and empty', READING);
    expect(empty.output).toMatchObject({ same: false, onlyInOne: ['a.txt'], onlyInOther: [] });
  });

  it('fails when one of them does not exist', async () => {
    const run = await new AgentWorkspace(FILES).pursue('compare old/ with absent/');
    expect(run).toMatchObject({ failure: { code: 'files.not_found' } });
  });
});

describe('simulated', () => {
  it.each([
    'collect all TODOs into note.md',
    'collect every mention of Acme into note.md',
    'write a report of large files to note.md',
    'find duplicate files and write them to note.md',
    'compare src/ with lib/ into note.md',
    'check the links and write them to note.md',
    'summarise data.csv into note.md',
  ])('changes nothing: %s', async (goal) => {
    const outside = new AgentWorkspace({ 'src/a.ts': '// TODO Acme', 'lib/a.ts': 'x', 'data.csv': 'a\n1\n' });
    const overlay = new OverlayFiles(outside.files);
    const { artifacts } = outside.engine.parts;
    const simulated = new AgentWorkspace(
      {},
      { simulate: true, artifacts, capabilities: { files: overlay, artifacts } },
    );
    const run = await simulated.pursue(goal);
    expect(run).toMatchObject({ ended: { status: 'completed' }, output: { note: 'note.md' } });
    expect(await overlay.changes()).toMatchObject([{ path: 'note.md', change: 'created' }]);
    expect(existsSync(join(outside.root, 'note.md'))).toBe(false);
  });
});

describe('a goal that is not understood', () => {
  it('gets the nearest procedures with their examples', async () => {
    const run = await new AgentWorkspace().pursue('fix the broken links of my website');
    expect(run.failure).toMatchObject({ code: 'agent.goal_not_understood' });
    expect(run.failure?.message).toContain('Oka understands: check the links of the Markdown files in docs');
  });
});

describe('links in folders', () => {
  it('are reported and not followed', async () => {
    const workspace = new AgentWorkspace({ 'a.txt': 'x' });
    symlinkSync('/etc', join(workspace.root, 'way out'));
    const run = await finished(workspace, 'find large files', READING);
    expect(run.output).toMatchObject({
      files: 1,
      report: expect.stringContaining('## Not included\n\n- not followed: `way out`'),
      leftOut: [],
    });
  });
});

describe('secrets', () => {
  const secret = `ghp_${'0123456789'.repeat(4)}`;

  it('stay as they are in a note, and are not in the record', async () => {
    const workspace = new AgentWorkspace({
      'a.ts': `// TODO rotate ${secret}\n`,
      [`${secret}/b.txt`]: 'same',
      [`${secret}/c.txt`]: 'same',
    });
    const run = await finished(workspace, 'collect the TODOs into note.md', ACTING);
    expect(workspace.text('note.md')).toContain(`// TODO rotate ${secret}`);
    expect(JSON.stringify(await workspace.engine.events(run.id))).not.toContain(secret);
    const twice = await finished(workspace, 'find duplicate files', READING);
    expect(JSON.stringify(twice.output)).not.toContain(secret);
    const matches = await workspace.pursue(`search for "${secret}" and collect the matches into found.md`);
    expect(matches.failure?.message).toContain('The goal contains a secret');
  });
});
