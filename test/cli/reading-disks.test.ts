import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DoctorAnswer } from '../../src/api/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { toAnswer, toRefusal, Workspace } from './oka-process.ts';
import { mountReadOnly } from './own-mounts.ts';
import { look, REFUSING_DISKS } from './reading-workspace.ts';
import { forgetSignedHeads } from './repair-kit.ts';

const LEFT_LOG = 'a read-only file system with a log that a killed process left';

const ADD = ['memory', 'fact', 'add'];

interface Facts {
  readonly facts: readonly { readonly text: string }[];
}

async function withFact(): Promise<Workspace> {
  const workspace = Workspace.trusted();
  // In a process of its own: this one would keep the database open, and remove its log at some later moment.
  toAnswer(await workspace.startIn(workspace.root, {}, ...ADD, 'the garden has three beds', '--json').ended);
  return workspace;
}

test('on a read-only file system facts are read and searched, writes fail, and doctor names the disk', async ({
  skip,
}) => {
  const disk = await REFUSING_DISKS['a read-only file system']?.(await withFact());
  if (disk === undefined || typeof disk === 'string') return skip(disk);
  const before = disk.files();
  const { facts } = (await look(disk.workspace, ['memory', 'fact', 'list'])) as Facts;
  expect(facts.map(({ text }) => text)).toEqual(['the garden has three beds']);
  // Its index is not made yet.
  expect(await look(disk.workspace, ['memory', 'fact', 'search', 'beds'])).toMatchObject({
    hits: [{ text: 'the garden has three beds' }],
  });
  const refused = toRefusal(await disk.workspace.oka('memory', 'fact', 'add', 'another', '--json'));
  expect(refused).toMatchObject({ exitCode: 1, error: { code: 'ledger.read_only' } });
  const doctor = toAnswer<DoctorAnswer>(await disk.workspace.oka('doctor', '--json'));
  expect(doctor.exitCode).toBe(1);
  const checks = new Map(doctor.data.checks.map((check) => [check.name, check]));
  expect(checks.get('ledger')).toMatchObject({ ok: true });
  expect(checks.get('disk')).toMatchObject({ ok: false, detail: expect.stringContaining('read-only') });
  expect(disk.files()).toEqual(before);
});

test('events in a log that cannot be read in place are read from a copy, which the command removes', async ({
  skip,
}) => {
  const disk = await REFUSING_DISKS[LEFT_LOG]?.(await withFact());
  if (disk === undefined || typeof disk === 'string') return skip(disk);
  const temporary = tempFolder();
  const list = ['memory', 'fact', 'list', '--json'];
  const read = disk.workspace.startIn(disk.workspace.root, { TMPDIR: temporary }, ...list);
  const { facts } = toAnswer<Facts>(await read.ended).data;
  expect(facts.map(({ text }) => text)).toContain('the garden gate is green');
  expect(readdirSync(temporary)).toEqual([]);
});

test('if no copy can be made, a warning says that the newest events may be missing', async ({ skip }) => {
  const disk = await REFUSING_DISKS[LEFT_LOG]?.(await withFact());
  if (disk === undefined || typeof disk === 'string') return skip(disk);
  const list = ['memory', 'fact', 'list', '--json'];
  const env = { TMPDIR: join(tempFolder(), 'missing') };
  const { exitCode, stdout, stderr } = await disk.workspace.startIn(disk.workspace.root, env, ...list).ended;
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining('the newest events may be missing'),
  });
  const { facts } = (JSON.parse(stdout) as { data: Facts }).data;
  expect(facts.map(({ text }) => text)).toEqual(['the garden has three beds']);
});

test('the copy of a killed reader is removed after an hour, by the next command that writes', async ({
  skip,
}) => {
  const seed = await withFact();
  const disk = await REFUSING_DISKS[LEFT_LOG]?.(seed);
  if (disk === undefined || typeof disk === 'string') return skip(disk);
  const temporary = tempFolder();
  const env = { TMPDIR: temporary };
  const follow = ['ledger', 'tail', '--follow'];
  const reader = disk.workspace.startIn(disk.workspace.root, env, ...follow);
  await reader.said('fact', 'stdout');
  const [copy = ''] = readdirSync(temporary);
  const pid = Number(/^oka-read-(\d+)-/.exec(copy)?.[1]);
  process.kill(pid, 'SIGKILL');
  await reader.ended;
  // The copy with more events has the same id.
  forgetSignedHeads(seed);
  const write = async (): Promise<void> => {
    seed.put('.oka/run/swept', '');
    utimesSync(seed.at('.oka/run/swept'), 0, 0);
    toAnswer(await seed.startIn(seed.root, env, 'memory', 'fact', 'add', 'again', '--json').ended);
  };
  await write();
  expect(readdirSync(temporary)).toEqual([copy]);
  makeOld(join(temporary, copy));
  await write();
  expect(readdirSync(temporary)).toEqual([]);
});

test('doctor reports a ledger that cannot be opened, with the next step', async () => {
  const workspace = await withFact();
  writeFileSync(workspace.at('.oka/oka.db'), 'this is no database, whatever its name says');
  const { exitCode, data } = await workspace.answer<DoctorAnswer>('doctor');
  expect(exitCode).toBe(1);
  expect(data.checks.find(({ name }) => name === 'ledger')).toMatchObject({
    ok: false,
    detail: expect.stringContaining('oka ledger repair'),
  });
});

test('reading an untrusted folder creates no file in it', async () => {
  const workspace = new Workspace();
  workspace.put('.oka/graphs/.keep', '');
  const before = readdirSync(workspace.root, { recursive: true });
  expect(await workspace.answer('runs', 'list')).toEqual({ exitCode: 0, data: { runs: [] } });
  expect(readdirSync(workspace.root, { recursive: true })).toEqual(before);
});

test('a low limit of open files is reported', async ({ skip }) => {
  if (!existsSync('/bin/sh')) return skip('there is no shell that limits open files');
  const { root, home } = await withFact();
  for (const limit of [19, 20, 22]) {
    const through = ['/bin/sh', '-c', `ulimit -n ${limit} && exec "$@"`, 'sh'];
    const limited = new Workspace({ root, home, through, files: {} });
    const { exitCode, stdout, stderr } = await limited.oka('memory', 'fact', 'list', '--json');
    // With very few, Node itself cannot load the program.
    const isTold = stdout.includes('system.too_many_files') || stderr.includes('EMFILE');
    expect({ limit, stdout, stderr, isFine: exitCode === 0 || isTold }).toMatchObject({ isFine: true });
  }
});

test('a workspace without a database on a read-only file system is empty', async ({ skip }) => {
  const { root, home } = Workspace.trusted();
  const disk = await mountReadOnly(root);
  if (typeof disk === 'string') return skip(disk);
  const workspace = new Workspace({ root, home, through: disk.through, files: {} });
  expect(await look(workspace, ['runs', 'list'])).toEqual({ runs: [] });
});

function makeOld(path: string): void {
  const twoHoursAgo = Date.now() / 1_000 - 7_200;
  utimesSync(path, twoHoursAgo, twoHoursAgo);
}
