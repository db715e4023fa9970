import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { RunAnswer } from '../src/api/index.ts';
import type { Json } from '../src/kernel/index.ts';
import { Oka } from '../src/runtime/index.ts';
import { ManualClock } from './support/manual-clock.ts';
import { tempFolder } from './support/temp-folder.ts';

const GALLERY = fileURLToPath(new URL('../gallery/', import.meta.url));
const NAMES = readdirSync(GALLERY)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));
const GUIDE = fileURLToPath(new URL('../docs/guides/graphs.md', import.meta.url));
const NOT_TEXT = new Uint8Array([0xff, 0xfe, 0x00]);

/** A trusted workspace with files, in which the graphs of the gallery run. */
class GalleryWorkspace {
  readonly root = tempFolder();
  readonly clock = new ManualClock();
  /** The types of all events since the last run was started. */
  readonly events: string[] = [];
  readonly #oka: Oka;

  private constructor() {
    this.#oka = new Oka({ workspace: this.root, home: tempFolder(), clock: this.clock });
    onTestFinished(() => this.#oka.close());
  }

  static async with(
    files: Readonly<Record<string, string | Uint8Array>>,
    script?: string,
  ): Promise<GalleryWorkspace> {
    const made = new GalleryWorkspace();
    for (const [path, content] of Object.entries(files)) made.put(path, content);
    if (script !== undefined) {
      const models = { test: { provider: 'scripted', script: join(GALLERY, 'scripts', script) } };
      made.put('.oka/config.json', JSON.stringify({ models }));
    }
    await made.#oka.init({ trust: true });
    return made;
  }

  put(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  names(folder = '.'): string[] {
    return readdirSync(join(this.root, folder)).filter((name) => name !== '.oka');
  }

  validate(name: string) {
    return this.#oka.graphs.validate(graphFile(name));
  }

  /** Runs a graph of the gallery, or another one by its path; timers are let pass, questions stay open. */
  async run(name: string, input: Json = null): Promise<RunAnswer> {
    this.events.length = 0;
    const { onEvent } = this;
    const graph = graphFile(name);
    let answer = await this.#oka.graphs.run({
      graph,
      input,
      vars: {},
      budgets: {},
      simulate: false,
      patienceMs: 0,
      onEvent,
    });
    while (answer.run.status === 'waiting' && answer.run.waitingFor?.approval === undefined) {
      this.clock.advance(60_000);
      const { id } = answer.run;
      answer = await this.#oka.runs.resume({
        run: id,
        by: 'ann',
        repin: false,
        addBudgets: {},
        patienceMs: 0,
        onEvent,
      });
    }
    return answer;
  }

  /** Runs a graph that is expected to complete and gives its output. */
  async outputOf(name: string, input: Json = null): Promise<Json> {
    const { run, output } = await this.run(name, input);
    expect(run.failure).toBeUndefined();
    expect(run.status).toBe('completed');
    return output;
  }

  async question(answer: RunAnswer) {
    return this.#oka.approvals.show(answer.run.waitingFor?.approval ?? '');
  }

  async answer(asked: RunAnswer, answer: string): Promise<RunAnswer> {
    const { id } = await this.question(asked);
    return this.#oka.approvals.approve({ id, by: 'ann', answer }, 0);
  }

  async deny(asked: RunAnswer): Promise<RunAnswer> {
    return this.#oka.approvals.deny((await this.question(asked)).id, 'ann');
  }

  readonly onEvent = ({ type }: { readonly type: string }): void => {
    this.events.push(type);
  };
}

function graphFile(name: string): string {
  return name.endsWith('.json') ? name : join(GALLERY, `${name}.json`);
}

describe('the gallery', () => {
  it.each(NAMES)('%s is valid, without a warning', async (name) => {
    const { valid, diagnostics } = await (await GalleryWorkspace.with({})).validate(name);
    expect(diagnostics).toEqual([]);
    expect(valid).toBe(true);
  });

  it('names each graph like its file and lists it in its README', () => {
    const readme = readFileSync(join(GALLERY, 'README.md'), 'utf8');
    for (const name of NAMES) {
      const { id } = JSON.parse(readFileSync(join(GALLERY, `${name}.json`), 'utf8')) as { id: string };
      expect(id).toBe(name);
      expect(readme).toContain(`[${name}](${name}.json)`);
    }
  });

  it('refuses input that does not fit', async () => {
    const workspace = await GalleryWorkspace.with({});
    const refused = { code: 'graph.input_invalid' };
    await expect(workspace.run('nightly-brief', { folder: 'x' })).rejects.toMatchObject(refused);
    await expect(workspace.run('log-summary')).rejects.toMatchObject(refused);
  });
});

describe('nightly-brief', () => {
  const FILES = {
    'README.md': '# Tea <room>\n\nA place to drink tea.\nOpen daily.\n\nMore.\n',
    'src/kettle.ts': '// TODO: boil <water>\nexport const text = "no TODO here";\n',
    'src/deep/cup.ts': 'export {};\n',
    Makefile: 'all:\n',
  };

  it('tells what there is the first time', async () => {
    const workspace = await GalleryWorkspace.with(FILES);
    expect(await workspace.outputOf('nightly-brief')).toEqual({
      changed: true,
      first: true,
      report: 'BRIEF.md',
      files: 4,
      added: 0,
      removed: 0,
      resized: 0,
      todos: 1,
    });
    expect(workspace.text('BRIEF.md')).toBe(`# Brief of Tea &lt;room>

A place to drink tea.
Open daily.

4 files in 2 folders, 129 bytes.

## What changed

This is the first brief of this folder; the next one tells what has changed since.

## Where the files are

| folder | files | size |
|---|---:|---:|
| \`(top)\` | 2 | 60 bytes |
| \`src/\` | 2 | 69 bytes |

By kind: \`.ts\` 2, \`other\` 1, \`.md\` 1.

## The largest files

- \`src/kettle.ts\`, 58 bytes
- \`README.md\`, 55 bytes
- \`src/deep/cup.ts\`, 11 bytes
- \`Makefile\`, 5 bytes

## Still to do

- \`src/kettle.ts:1\` // TODO: boil &lt;water>
`);
  });

  it('stops early while nothing has changed, and not when the brief is gone', async () => {
    const workspace = await GalleryWorkspace.with(FILES);
    await workspace.outputOf('nightly-brief');
    workspace.put('BRIEF.md', 'mine');
    const unchanged = { changed: false, report: 'BRIEF.md', files: 4 };
    expect(await workspace.outputOf('nightly-brief')).toEqual(unchanged);
    expect(workspace.text('BRIEF.md')).toBe('mine');
    expect(workspace.events).not.toContain('tool.intended');
    rmSync(join(workspace.root, 'BRIEF.md'));
    const again = { changed: true, first: false, added: 0, removed: 0, resized: 0 };
    expect(await workspace.outputOf('nightly-brief')).toMatchObject(again);
    expect(workspace.text('BRIEF.md')).toContain('No file was added, removed or changed in size.\n');
  });

  it('tells what is new, changed and gone since the last brief', async () => {
    const workspace = await GalleryWorkspace.with({ ...FILES, 'old.txt': 'x', '.gitignore': 'gone.txt\n' });
    await workspace.outputOf('nightly-brief');
    workspace.put('new.txt', 'tea');
    workspace.put('Makefile', 'all: tea\n');
    workspace.put('.gitignore', 'old.txt\n');
    expect(await workspace.outputOf('nightly-brief')).toMatchObject({
      first: false,
      added: 1,
      removed: 1,
      resized: 2,
    });
    expect(workspace.text('BRIEF.md')).toContain(`## What changed

- new: \`new.txt\`, 3 bytes
- changed: \`.gitignore\`, 8 bytes (−1 byte)
- changed: \`Makefile\`, 9 bytes (+4 bytes)
- gone: \`old.txt\`
`);
    expect(await workspace.outputOf('nightly-brief')).toMatchObject({ changed: false });
  });

  it('writes a brief of an empty folder, once', async () => {
    const workspace = await GalleryWorkspace.with({});
    expect(await workspace.outputOf('nightly-brief')).toMatchObject({ changed: true, files: 0 });
    expect(workspace.text('BRIEF.md')).toBe(`# Brief of this folder

0 files in 0 folders, 0 bytes.

## What changed

This is the first brief of this folder; the next one tells what has changed since.

## Still to do

No line begins with TODO.
`);
    expect(await workspace.outputOf('nightly-brief')).toMatchObject({ changed: false, files: 0 });
  });

  it('looks at one folder when told to', async () => {
    const workspace = await GalleryWorkspace.with(FILES);
    const input = { path: 'src', report: './src/BRIEF.md' };
    expect(await workspace.outputOf('nightly-brief', input)).toMatchObject({
      report: 'src/BRIEF.md',
      files: 2,
    });
    expect(workspace.text('src/BRIEF.md')).toMatch(/^# Brief of `src`\n/);
    expect(workspace.text('src/BRIEF.md')).toContain('| `deep/` | 1 | 11 bytes |');
    expect(await workspace.outputOf('nightly-brief', input)).toMatchObject({ changed: false });
  });

  it('remembers apart what each report has told', async () => {
    const workspace = await GalleryWorkspace.with(FILES);
    await workspace.outputOf('nightly-brief');
    const other = { report: 'other.md' };
    expect(await workspace.outputOf('nightly-brief', other)).toMatchObject({ first: true, files: 5 });
    expect(await workspace.outputOf('nightly-brief')).toMatchObject({ changed: true, added: 1 });
  });

  it('cuts long lists short', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`n/${100 + i}.txt`, '- TODO x\n']));
    const workspace = await GalleryWorkspace.with({ 'a.txt': '' });
    await workspace.outputOf('nightly-brief');
    for (const [path, content] of Object.entries(many(30))) workspace.put(path, content);
    expect(await workspace.outputOf('nightly-brief')).toMatchObject({ added: 30, todos: 30 });
    const brief = workspace.text('BRIEF.md');
    expect(brief).toContain('- new: `n/114.txt`, 9 bytes\n- and 15 more\n');
    expect(brief).toContain('- `n/119.txt:1` - TODO x\n- and 10 more\n');
  });
});

describe('todo-collector', () => {
  it('collects what begins a line or a comment, each line once, file by file', async () => {
    const workspace = await GalleryWorkspace.with({
      'notes.md': 'TODO: buy <tea>\n\n- [ ] TODO call\n',
      'src/b.ts': 'const s = "// TODO in a text";\nrun("x"); // FIXME TODO both\n',
      'src/a.py': '# fixme in small letters\n# FIXME: now\n',
    });
    const output = { count: 4, files: 3, complete: true, report: 'TODOS.md' };
    expect(await workspace.outputOf('todo-collector')).toEqual(output);
    const list = `# Open TODOs

4 lines in 3 files.

## notes.md

- line 1: TODO: buy &lt;tea>
- line 3: - [ ] TODO call

## src/a.py

- line 2: # FIXME: now

## src/b.ts

- line 2: run("x"); // FIXME TODO both
`;
    expect(workspace.text('TODOS.md')).toBe(list);
    expect(await workspace.outputOf('todo-collector')).toEqual(output);
    expect(workspace.text('TODOS.md')).toBe(list);
  });

  it('says so when nothing is open', async () => {
    const workspace = await GalleryWorkspace.with({});
    expect(await workspace.outputOf('todo-collector', { report: 'todo/list.md' })).toEqual({
      count: 0,
      files: 0,
      complete: true,
      report: 'todo/list.md',
    });
    expect(workspace.text('todo/list.md')).toBe('# Open TODOs\n\nNothing is left open.\n');
  });

  it('says when there is more than it read', async () => {
    const workspace = await GalleryWorkspace.with({ 'a.txt': 'TODO x\n'.repeat(1_001) });
    expect(await workspace.outputOf('todo-collector')).toMatchObject({ count: 1_000, complete: false });
    expect(workspace.text('TODOS.md')).toContain('There are more than were looked at');
  });
});

describe('link-checker', () => {
  const FILES = {
    'README.md': [
      '# Links',
      '[a](docs/a.md) and [gone](./docs/gone.md#part "title"), [web](https://example.com/x) [part](#links)',
      '```md',
      '[in code](nowhere.md)',
      '```',
      '`[in code](nowhere.md)` [folder](docs/) [from the root](/docs/a.md)',
      '[ref]: missing.png',
    ].join('\n'),
    'docs/a.md': [
      '[up](../README.md) [outside](../../x.md) [space](<with space.md>) [space](with%20space.md) [here](.)',
      '[round](a_(b).md) ![picture](bild%C3%A4.png) [not encoded](%ZZ.md)',
      '[ignored](private.txt)',
    ].join('\r\n'),
    'docs/with space.md': 'x',
    'docs/a_(b).md': 'x',
    'docs/bildä.png': 'x',
    'docs/private.txt': 'x',
    'docs/broken.md': NOT_TEXT,
    '.gitignore': 'private.txt\n',
  };

  it('finds the links that lead nowhere, and tells which files it could not read', async () => {
    const workspace = await GalleryWorkspace.with(FILES);
    expect(await workspace.outputOf('link-checker')).toEqual({
      checked: 4,
      links: 14,
      broken: [
        { file: 'README.md', line: 2, link: './docs/gone.md#part' },
        { file: 'README.md', line: 7, link: 'missing.png' },
        { file: 'docs/a.md', line: 2, link: '%ZZ.md' },
        { file: 'docs/a.md', line: 3, link: 'private.txt' },
      ],
      unreadable: ['docs/broken.md'],
      complete: true,
    });
    expect(workspace.events).not.toContain('tool.intended');
  });

  it('checks one folder, against the whole workspace', async () => {
    const workspace = await GalleryWorkspace.with(FILES);
    expect(await workspace.outputOf('link-checker', { path: './docs/' })).toMatchObject({
      checked: 3,
      links: 9,
      broken: [{ line: 2 }, { line: 3 }],
    });
  });

  it('finds nothing in an empty folder, and one link in one file', async () => {
    const workspace = await GalleryWorkspace.with({});
    const nothing = { checked: 0, links: 0, broken: [], unreadable: [], complete: true };
    expect(await workspace.outputOf('link-checker')).toEqual(nothing);
    workspace.put('a.md', '[b](b.md)');
    const broken = [{ file: 'a.md', line: 1, link: 'b.md' }];
    expect(await workspace.outputOf('link-checker')).toEqual({ ...nothing, checked: 1, links: 1, broken });
  });
});

describe('log-summary', () => {
  const LOG = [
    '2026-01-01 INFO the word ERROR does not count here',
    '[WARN] slow: 12 ms',
    'ERROR: cannot open 12',
    'ERROR: cannot open 13',
    'FATAL | gone <x>',
    'DEBUG x',
    'a line without a level',
  ].join('\n');
  const found = {
    levels: { errors: 3, warnings: 1, info: 1, other: 1, truncated: false },
    top: [
      { text: 'cannot open #', count: 2 },
      { text: 'gone <x>', count: 1 },
    ],
  };

  it('asks nobody below the threshold', async () => {
    const workspace = await GalleryWorkspace.with({ 'app.log': LOG });
    const input = { path: 'app.log', threshold: 3 };
    expect(await workspace.outputOf('log-summary', input)).toEqual({ ...found, report: null });
    expect(workspace.names()).toEqual(['app.log']);
  });

  it('writes the report when a person says so', async () => {
    const workspace = await GalleryWorkspace.with({ 'app.log': LOG });
    const asked = await workspace.run('log-summary', { path: 'app.log', threshold: 2 });
    expect(await workspace.question(asked)).toMatchObject({
      question: 'app.log has 3 errors, more than 2. Write a report to LOG-REPORT.md?',
      options: ['write', 'skip'],
    });
    const { output } = await workspace.answer(asked, 'write');
    expect(output).toEqual({ ...found, report: 'LOG-REPORT.md' });
    expect(workspace.text('LOG-REPORT.md')).toBe(`# Log report of app.log

| level | lines |
|---|---:|
| errors | 3 |
| warnings | 1 |
| info | 1 |
| debug and trace | 1 |

## What the errors say

- 2 × cannot open #
- 1 × gone &lt;x>

Written with the consent of ann.
`);
  });

  it('writes nothing when a person skips it or denies it', async () => {
    const workspace = await GalleryWorkspace.with({ 'app.log': LOG });
    const input = { path: 'app.log', threshold: 0, report: 'report.md' };
    const skipped = await workspace.answer(await workspace.run('log-summary', input), 'skip');
    expect(skipped.output).toEqual({ ...found, report: null });
    const denied = await workspace.deny(await workspace.run('log-summary', input));
    expect(denied.run).toMatchObject({ status: 'failed', failure: { code: 'engine.approval_denied' } });
    expect(workspace.names()).toEqual(['app.log']);
  });

  it('finds nothing in an empty log and fails without one', async () => {
    const workspace = await GalleryWorkspace.with({ 'app.log': '' });
    expect(await workspace.outputOf('log-summary', { path: 'app.log' })).toEqual({
      levels: { errors: 0, warnings: 0, info: 0, other: 0, truncated: false },
      top: [],
      report: null,
    });
    const { run } = await workspace.run('log-summary', { path: 'other.log' });
    expect(run.failure?.code).toBe('files.not_found');
  });
});

describe('notes-index', () => {
  it('writes a line for each note, and tells which it could not read', async () => {
    const workspace = await GalleryWorkspace.with({
      'notes/green tea.md': '---\ntags: tea\n---\n# Green | tea\n\nIt is green. It is good.\n',
      'notes/deep/plain.txt': 'no heading here',
      'notes/broken.md': NOT_TEXT,
      'notes/picture.png': 'x',
      'elsewhere.md': '# Elsewhere',
    });
    expect(await workspace.outputOf('notes-index', { path: 'notes', report: 'notes/INDEX.md' })).toEqual({
      notes: 2,
      words: 13,
      left_out: 0,
      unreadable: ['notes/broken.md'],
      report: 'notes/INDEX.md',
    });
    expect(workspace.text('notes/INDEX.md')).toBe(`# Index of notes

2 notes, 13 words.

| note | words | minutes | begins with |
|---|---:|---:|---|
| [plain](../notes/deep/plain.txt) | 3 | 1 | no heading here |
| [Green \\| tea](../notes/green%20tea.md) | 10 | 1 | It is green. |

Not read: \`notes/broken.md\`.
`);
  });

  it('takes as many notes as its limit allows and says how many are left out', async () => {
    const notes = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`${name}.md`, 'x']));
    const workspace = await GalleryWorkspace.with(notes);
    const graph = readFileSync(graphFile('notes-index'), 'utf8');
    expect(graph.match(/\b300\b/g)).toHaveLength(5);
    workspace.put('note-facts.json', readFileSync(graphFile('note-facts')));
    workspace.put('few.json', graph.replaceAll(/\b300\b/g, '3'));
    expect(await workspace.outputOf(join(workspace.root, 'few.json'))).toMatchObject({
      notes: 3,
      left_out: 2,
    });
    expect(workspace.text('NOTES-INDEX.md')).toContain('Left out: 2 more notes.\n');
  });

  it('writes nothing for a folder without notes', async () => {
    const workspace = await GalleryWorkspace.with({ 'a.ts': 'x' });
    const nothing = { notes: 0, words: 0, left_out: 0, unreadable: [], report: null };
    expect(await workspace.outputOf('notes-index')).toEqual(nothing);
    expect(workspace.names()).toEqual(['a.ts']);
  });
});

describe('read-with-fallbacks', () => {
  const remedies = ({ events }: GalleryWorkspace) =>
    events.filter((type) => type.startsWith('remediation.')).map((type) => type.slice(12));

  it('takes the file when it is there', async () => {
    const workspace = await GalleryWorkspace.with({ 'in.csv': 'a\nb\n' });
    expect(await workspace.outputOf('read-with-fallbacks', { path: 'in.csv' })).toEqual({
      source: 'fresh',
      path: 'in.csv',
      content: 'a\nb\n',
      lines: 2,
      looked: 1,
    });
    expect(remedies(workspace)).toEqual([]);
  });

  it('looks again after a pause, and finds what has come meanwhile', async () => {
    const workspace = await GalleryWorkspace.with({});
    workspace.clock.callAt(workspace.clock.now() + 60_000, () => workspace.put('in.csv', 'late'));
    expect(await workspace.outputOf('read-with-fallbacks', { path: 'in.csv' })).toMatchObject({
      source: 'fresh',
      content: 'late',
      looked: 2,
    });
    expect(remedies(workspace)).toEqual(['branched']);
  });

  it('takes an older file when it has looked often enough', async () => {
    const workspace = await GalleryWorkspace.with({ 'last.csv': 'old' });
    const input = { path: 'in.csv', older: 'last.csv', attempts: 2, pause_seconds: 1 };
    expect(await workspace.outputOf('read-with-fallbacks', input)).toEqual({
      source: 'older',
      path: 'last.csv',
      content: 'old',
      lines: 1,
      looked: 2,
    });
    expect(remedies(workspace)).toEqual(['branched', 'branched']);
  });

  it('continues with nothing when there is neither, recorded', async () => {
    const workspace = await GalleryWorkspace.with({});
    expect(await workspace.outputOf('read-with-fallbacks', { path: 'in.csv', attempts: 10 })).toEqual({
      source: 'none',
      path: null,
      content: '',
      lines: 0,
      looked: 10,
    });
    expect(remedies(workspace)).toEqual([...Array<string>(10).fill('branched'), 'substituted']);
  });
});

describe('triage-note', () => {
  const NOTES = {
    'bug.md': 'The export crashes when a table is empty.',
    'idea.md': 'The dialog could remember the folder.',
    'other.md': 'Thanks for the cake!',
  };

  it('files a bug, tries again when the model is busy, and files the same note once', async () => {
    const workspace = await GalleryWorkspace.with(NOTES, 'triage-note.json');
    const output = await workspace.outputOf('triage-note', { path: 'bug.md' });
    expect(workspace.events).toContain('remediation.retried');
    const [name] = workspace.names('triage');
    expect(name).toMatch(/^bug-export-crashes-on-empty-tables-[0-9a-f]{8}\.md$/);
    const path = `triage/${name}`;
    expect(output).toEqual({ filed: true, kind: 'bug', title: 'Export crashes on empty tables', path });
    expect(workspace.text(path)).toBe(`# Export crashes on empty tables

Severity: high

Exporting a table without rows ends the program.

## Steps

1. Open an empty table
2. Choose Export

From \`bug.md\`.
`);
    workspace.put(path, 'taken up');
    expect(await workspace.outputOf('triage-note', { path: 'bug.md' })).toEqual(output);
    expect(workspace.events).not.toContain('remediation.retried');
    expect(workspace.text(path)).toBe('taken up');
  });

  it('files an idea in its own form', async () => {
    const workspace = await GalleryWorkspace.with(NOTES, 'triage-note.json');
    const output = await workspace.outputOf('triage-note', { path: 'idea.md' });
    const [name] = workspace.names('triage');
    const title = 'Remember the last folder';
    expect(output).toEqual({ filed: true, kind: 'idea', title, path: `triage/${name}` });
    expect(workspace.text(`triage/${name}`)).toBe(`# Remember the last folder

Benefit: Fewer clicks for people who work in one folder.

The open dialog starts where it was left.

From \`idea.md\`.
`);
  });

  it('files nothing when the answer is no option, recorded', async () => {
    const workspace = await GalleryWorkspace.with(NOTES, 'triage-note.json');
    expect(await workspace.outputOf('triage-note', { path: 'other.md' })).toEqual({
      filed: false,
      kind: 'other',
      title: null,
      path: null,
    });
    expect(workspace.events).toContain('remediation.branched');
    expect(workspace.names()).not.toContain('triage');
  });

  it('fails with the way out when no model is configured', async () => {
    const { run } = await (await GalleryWorkspace.with(NOTES)).run('triage-note', { path: 'bug.md' });
    expect(run.failure?.code).toBe('models.not_configured');
    expect(run.failure?.message).toContain('oka model add');
  });
});

describe('changelog-draft', () => {
  it('drafts from all change notes', async () => {
    const notes = {
      'changes/1.md': 'SVG pictures.\n',
      'changes/2.md': 'Empty tables.',
      'changes/x.txt': 'no',
    };
    const workspace = await GalleryWorkspace.with(notes, 'changelog-draft.json');
    expect(await workspace.outputOf('changelog-draft')).toEqual({
      changes: 2,
      report: 'CHANGELOG-DRAFT.md',
    });
    expect(workspace.text('CHANGELOG-DRAFT.md')).toBe(`# Changelog draft

## Added

- Graphs can be drawn as SVG.

## Fixed

- Empty tables can be exported.
`);
  });

  it('asks no model when there is nothing to draft from', async () => {
    const workspace = await GalleryWorkspace.with({ 'changes/x.txt': 'no' });
    expect(await workspace.outputOf('changelog-draft')).toEqual({ changes: 0, report: null });
  });

  it('stops at a note that it cannot read', async () => {
    const workspace = await GalleryWorkspace.with({ 'news/1.md': NOT_TEXT }, 'changelog-draft.json');
    const { run } = await workspace.run('changelog-draft', { folder: 'news' });
    expect(run.failure?.code).toBe('engine.child_failed');
    expect(workspace.names()).toEqual(['news']);
  });
});

describe('the guide', () => {
  const [first, second] = Array.from(
    readFileSync(GUIDE, 'utf8').matchAll(/^```json file=\S+\n(.+?)^```$/gms),
    ([, graph]) => graph as string,
  );
  const NOTES = { 'calls.md': 'TODO: call Ann\n', 'shopping.md': '- TODO: buy tea\n' };
  const WRITTEN = 'calls.md: TODO: call Ann\nshopping.md: - TODO: buy tea';

  it.each([first, second])('shows graphs that are valid and do what it says', async (graph) => {
    const workspace = await GalleryWorkspace.with({ ...NOTES, 'open-items.json': graph as string });
    expect(await workspace.validate('open-items.json')).toMatchObject({ valid: true, diagnostics: [] });
    expect(await workspace.outputOf('open-items.json')).toEqual({ count: 2 });
    expect(workspace.text('OPEN.txt')).toBe(WRITTEN);
  });

  it('lets the second graph write only what is new', async () => {
    const workspace = await GalleryWorkspace.with({ ...NOTES, 'open-items.json': second as string });
    await workspace.outputOf('open-items.json');
    workspace.put('OPEN.txt', 'mine');
    expect(await workspace.outputOf('open-items.json')).toEqual({ count: 2 });
    expect(workspace.text('OPEN.txt')).toBe('mine');
    workspace.put('calls.md', 'done');
    expect(await workspace.outputOf('open-items.json')).toEqual({ count: 1 });
    expect(workspace.text('OPEN.txt')).toBe('shopping.md: - TODO: buy tea');
  });
});
