import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import type { RebuildAnswer, RepairAnswer, VerifyAnswer } from '../../src/api/index.ts';
import { BRIEF, Workspace } from './oka-process.ts';

const DATABASE = '.oka/oka.db';
const MIRROR = '.oka/run_ledger.jsonl';
/** Commands of every sort: they look, act, prove and tidy. */
const COMMANDS = [
  ['runs', 'list'],
  ['do', BRIEF],
  ['do', BRIEF, '--simulate'],
  ['ledger', 'verify'],
  ['ledger', 'gc'],
  ['init'],
];

async function withOneRun(): Promise<{ workspace: Workspace; run: string }> {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', BRIEF);
  return { workspace, run: data.run.id };
}

/** Every file of the workspace's own folder, to see that nothing was touched. */
function contents(workspace: Workspace): Record<string, string> {
  const files = readdirSync(workspace.at('.oka'), { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((file) => file.isFile() && !/-(wal|shm)$/.test(file.name))
      .map((file) => [
        `${file.parentPath}/${file.name}`,
        readFileSync(`${file.parentPath}/${file.name}`, 'latin1'),
      ]),
  );
}

/** Writes nonsense over the first page of a table or an index. */
function overwritePage(workspace: Workspace, name: string): void {
  const database = new DatabaseSync(workspace.at(DATABASE));
  const page = database.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) as {
    rootpage: number;
  };
  const { page_size: size } = database.prepare('PRAGMA page_size').get() as { page_size: number };
  database.close();
  const bytes = readFileSync(workspace.at(DATABASE));
  const start = (page.rootpage - 1) * size;
  bytes.fill(0xa5, start, start + size);
  writeFileSync(workspace.at(DATABASE), bytes);
}

async function expectRefused(
  workspace: Workspace,
  commands: readonly string[][],
  code: string,
  exitCode: number,
) {
  for (const args of commands) {
    const refusal = await workspace.refusal(...args);
    expect({ args, exitCode: refusal.exitCode, code: refusal.error.code }).toEqual({ args, exitCode, code });
  }
}

test('every command rejects a database of a newer Oka and leaves it unchanged', async () => {
  const { workspace } = await withOneRun();
  const database = new DatabaseSync(workspace.at(DATABASE));
  database.exec("INSERT INTO migrations VALUES (99, 'newer', 0); PRAGMA user_version=99");
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const before = contents(workspace);
  await expectRefused(workspace, COMMANDS, 'ledger.newer_schema', 1);
  const { error } = await workspace.refusal('runs', 'list');
  expect(error.message).toMatch(/newer Oka \(schema 99.+Nothing was changed\. Update Oka/);
  expect(contents(workspace)).toEqual(before);
});

test('a file that is not a database is rejected, and rebuilt from the mirror', async () => {
  const { workspace, run } = await withOneRun();
  const shown = await workspace.answer('runs', 'show', run);
  workspace.put(DATABASE, 'not a database, but long enough to be looked at. '.repeat(200));
  const before = contents(workspace);
  await expectRefused(workspace, COMMANDS, 'ledger.damaged', 7);
  const { error } = await workspace.refusal('runs', 'list');
  expect(error.message).toContain('oka ledger repair');
  expect(contents(workspace)).toEqual(before);

  const { exitCode, data } = await workspace.answer<RepairAnswer>('ledger', 'repair');
  expect({ exitCode, ok: data.ok }).toEqual({ exitCode: 0, ok: true });
  expect(data.kept).toEqual([expect.stringContaining('before-repair')]);
  expect(readFileSync(data.kept[0] as string, 'utf8')).toContain('not a database');
  await workspace.verified();
  expect(await workspace.answer('runs', 'show', run)).toEqual(shown);
});

async function expectFoundAndMended(table: string): Promise<void> {
  const { workspace, run } = await withOneRun();
  const shown = await workspace.answer('runs', 'show', run);
  overwritePage(workspace, table);
  const { exitCode, stdout } = await workspace.oka('ledger', 'verify', '--json');
  expect({ exitCode, stdout }).toEqual({
    exitCode: 7,
    stdout: expect.stringMatching(/"ledger\.damaged"|"where":"database"/),
  });
  expect(await workspace.answer<RepairAnswer>('ledger', 'repair')).toMatchObject({
    exitCode: 0,
    data: { ok: true },
  });
  await workspace.verified();
  expect(await workspace.answer('runs', 'show', run)).toEqual(shown);
}

test('an overwritten page of an index is found and repaired from the mirror', () =>
  expectFoundAndMended('events_by_stream'));

test.each(['events', 'runs'])('an overwritten page of %s is found and repaired from the mirror', (table) =>
  expectFoundAndMended(table),
);

test.each(['missing', 'empty'])(
  'a database that is %s next to its mirror is damaged, and rebuild repairs it',
  async (how) => {
    const { workspace, run } = await withOneRun();
    const shown = await workspace.answer('runs', 'show', run);
    const events = await workspace.verified();
    if (how === 'missing') rmSync(workspace.at(DATABASE));
    else truncateSync(workspace.at(DATABASE));
    const before = contents(workspace);
    await expectRefused(workspace, COMMANDS, 'ledger.database_missing', 7);
    const { error } = await workspace.refusal('runs', 'list');
    expect(error.message).toMatch(/Nothing was changed\. To restore it: oka ledger repair/);
    expect(contents(workspace)).toEqual(before);

    const { exitCode, data } = await workspace.answer<RebuildAnswer>('ledger', 'rebuild');
    expect({ exitCode, data }).toEqual({ exitCode: 0, data: { from: 'mirror', events, dropped: 0 } });
    expect(await workspace.verified()).toBe(events);
    expect(await workspace.answer('runs', 'show', run)).toEqual(shown);
    expect(await workspace.answer('do', BRIEF)).toMatchObject({ exitCode: 0 });
    await workspace.verified();
  },
);

test('a changed byte of the mirror is reported and repaired from sound events', async () => {
  const { workspace } = await withOneRun();
  const text = workspace.text(MIRROR);
  const at = text.indexOf('"seq":3,');
  const damaged = text.slice(0, at) + text.slice(at).replace('README', 'REAKME');
  expect(damaged).not.toBe(text);
  workspace.put(MIRROR, damaged);
  const { exitCode, data } = await workspace.answer<VerifyAnswer>('ledger', 'verify');
  expect({ exitCode, ok: data.ok, mirrorEqual: data.mirrorEqual }).toEqual({
    exitCode: 7,
    ok: false,
    mirrorEqual: false,
  });
  expect(data.faults).toEqual([
    { where: expect.stringMatching(/^mirror line \d+/), what: expect.any(String) },
  ]);
  expect(await workspace.answer<RepairAnswer>('ledger', 'repair')).toMatchObject({
    exitCode: 0,
    data: { ok: true, repaired: [expect.stringContaining('run_ledger.jsonl')] },
  });
  expect(workspace.text(MIRROR)).toBe(text);
});

test('a changed event of the database is reported', async () => {
  const { workspace } = await withOneRun();
  const database = new DatabaseSync(workspace.at(DATABASE));
  database.exec(`UPDATE events SET body = replace(body, 'Garden', 'Jungle') WHERE body LIKE '%Garden%'`);
  database.close();
  const { exitCode, data } = await workspace.answer<VerifyAnswer>('ledger', 'verify');
  expect({ exitCode, ok: data.ok }).toEqual({ exitCode: 7, ok: false });
  expect(data.faults.length).toBeGreaterThan(0);
  const told = await workspace.oka('ledger', 'verify');
  expect(told).toMatchObject({ exitCode: 7, stderr: '' });
  expect(told.stdout).toContain('oka ledger repair');
});

test('the next command that writes repairs and reports a torn last line of the mirror', async () => {
  const { workspace } = await withOneRun();
  const text = workspace.text(MIRROR);
  truncateSync(workspace.at(MIRROR), Buffer.byteLength(text) - 10);
  const { exitCode, stderr } = await workspace.oka('do', 'read README.md');
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^! Rewrote 1 unreadable line at the end of run_ledger\.jsonl/);
  expect(workspace.text(MIRROR).startsWith(text)).toBe(true);
  await workspace.verified();
});

test('a missing mirror is rewritten', async () => {
  const { workspace } = await withOneRun();
  const text = workspace.text(MIRROR);
  rmSync(workspace.at(MIRROR));
  expect(await workspace.oka('do', 'read README.md')).toMatchObject({ exitCode: 0 });
  expect(workspace.text(MIRROR).startsWith(text)).toBe(true);
  await workspace.verified();
});

test('rebuilding from a damaged mirror fails and keeps the database', async () => {
  const { workspace } = await withOneRun();
  workspace.put(MIRROR, workspace.text(MIRROR).replace('Garden', 'Jungle'));
  const before = contents(workspace);
  const { exitCode, error } = await workspace.refusal('ledger', 'rebuild', '--from', 'mirror');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 7, code: 'ledger.damaged' });
  expect(error.message).toMatch(/[Nn]othing was rebuilt/);
  expect(contents(workspace)).toEqual(before);
});

test('an unreadable or invalid configuration blocks every command that acts', async () => {
  const workspace = Workspace.trusted();
  const wrong: [string, string, RegExp][] = [
    ['{ "hooks": [', 'config.malformed', /is not JSON/],
    ['', 'config.malformed', /is not JSON/],
    ['[]', 'config.invalid', /the file/],
    ['{"hoks":[]}', 'config.invalid', /hoks/],
    ['{"hooks":[{"on":"before_rnu","command":["x"]}]}', 'config.invalid', /hooks\.0\.on/],
    ['{"limits":{"steps":"many"}}', 'config.invalid', /limits\.steps/],
    ['{"limits":{"stpes":3}}', 'engine.invalid_budget', /stpes/],
  ];
  for (const [text, code, sentence] of wrong) {
    workspace.put('.oka/config.json', text);
    const { exitCode, error } = await workspace.refusal('do', BRIEF);
    expect({ text, exitCode, code: error.code }).toEqual({ text, exitCode: 3, code });
    expect(error.message).toMatch(sentence);
    if (code !== 'engine.invalid_budget') expect(error.message).toContain('config.json');
  }
  for (const args of [
    ['do', BRIEF, '--simulate'],
    ['runs', 'resume', 'x'],
  ])
    expect(await workspace.refusal(...args)).toMatchObject({ exitCode: 3 });
  expect(await workspace.answer('runs', 'list')).toMatchObject({ exitCode: 0, data: { runs: [] } });
  expect(workspace.has('BRIEF.md')).toBe(false);
});

test('an unreadable trust file is an error and grants no trust', async () => {
  const workspace = Workspace.trusted();
  writeFileSync(`${workspace.home}/trust.json`, '{ broken');
  expect(await workspace.refusal('do', BRIEF)).toMatchObject({
    exitCode: 3,
    error: { code: 'config.malformed' },
  });
  expect(await workspace.refusal('init', '--trust')).toMatchObject({
    exitCode: 3,
    error: { code: 'config.malformed' },
  });
});
