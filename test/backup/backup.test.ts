import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import { readBackupEntry } from '../../src/adapters/backup/index.ts';
import type {
  BackupCreateAnswer,
  BackupRestoreAnswer,
  BackupVerifyAnswer,
  RunAnswer,
} from '../../src/api/index.ts';
import { BRIEF, toAnswer, toRefusal, Workspace } from '../cli/oka-process.ts';
import { parkBeforeWriting } from '../cli/park-runs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { takeApart, withOka } from './backup-kit.ts';

const create = (workspace: Workspace, file: string, ...options: readonly string[]) =>
  workspace.answer<BackupCreateAnswer>('backup', 'create', file, ...options);

/** Restores a backup into a folder of its own; answers with a workspace there, with the same person. */
async function restored(from: Workspace, file: string): Promise<Workspace> {
  const root = join(tempFolder(), 'restored');
  const { exitCode } = await from.answer('backup', 'restore', file, '--to', root);
  expect(exitCode).toBe(0);
  return new Workspace({ root, home: from.home, files: {} });
}

test('a backup holds the ledger, the artifacts it names and what people wrote, and is restored as it was', async () => {
  const workspace = Workspace.trusted({ config: { always_sync: true } });
  workspace.put('.oka/skills/weed/SKILL.md', '---\nname: weed\ndescription: pulls weeds\n---\nPull.\n');
  workspace.put('.oka/skills/weed/scripts/pull.sh', '#!/bin/sh\n');
  chmodSync(workspace.at('.oka/skills/weed/scripts/pull.sh'), 0o755);
  workspace.put('.oka/memory/derived.md', 'derived\n');
  workspace.put('.oka/tools/thing', 'installed\n');
  symlinkSync('/etc/hostname', workspace.at('.oka/graphs/link.json'));
  const { data: run } = await workspace.answer('do', BRIEF);
  await workspace.answer('memory', 'fact', 'add', 'the gate is green');
  const events = await workspace.verified();
  const orphan = workspace.at('.oka/objects/00');
  mkdirSync(orphan, { recursive: true });
  writeFileSync(join(orphan, '0'.repeat(62)), 'named by nothing');

  const file = join(tempFolder(), 'garden.tar.gz');
  const { data: made } = await create(workspace, file);
  expect(made).toMatchObject({ file, head: { seq: events }, vault: false });
  expect(made.warnings).toEqual([
    { where: '.oka/graphs/link.json', what: expect.stringContaining('no links') },
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(file, '..'))).toEqual(['garden.tar.gz']);

  const { exitCode, data: proof } = await workspace.answer<BackupVerifyAnswer>('backup', 'verify', file);
  expect({ exitCode, ...proof }).toMatchObject({ exitCode: 0, ok: true, events, faults: [] });
  const names = (await takeApart(file)).map(({ header }) => header.name);
  expect(names[0]).toBe('manifest.json');
  expect(names.filter((name) => !name.startsWith('objects/'))).toEqual([
    'manifest.json',
    'oka.db',
    'run_ledger.jsonl',
    '.gitignore',
    'config.json',
    'skills/weed/SKILL.md',
    'skills/weed/scripts/pull.sh',
  ]);
  expect(names).not.toContain(`objects/00/${'0'.repeat(62)}`);
  expect(spawnSync('tar', ['tzf', file], { encoding: 'utf8' }).stdout.trim().split('\n')).toEqual(names);

  const copy = await restored(workspace, file);
  expect(await copy.verified()).toBe(events);
  expect(copy.text('.oka/config.json')).toBe(workspace.text('.oka/config.json'));
  expect(statSync(copy.at('.oka/skills/weed/scripts/pull.sh')).mode & 0o100).toBe(0o100);
  expect(copy.has('.oka/memory/derived.md') || copy.has('.oka/tools/thing')).toBe(false);
  expect(readdirSync(copy.root)).toEqual(['.oka']);
  const { data: shown } = await copy.answer('runs', 'show', run.run.id);
  expect(shown.run).toMatchObject({ id: run.run.id, status: 'completed' });
  const refused = await copy.refusal('do', BRIEF);
  expect(refused).toMatchObject({ exitCode: 4, error: { code: 'config.not_trusted' } });
  await copy.answer('init', '--trust');
  const { data: found } = await copy.answer<{ hits: { text: string }[] }>('memory', 'retrieve', 'gate');
  expect(found.hits.map(({ text }) => text)).toEqual(['the gate is green']);
  expect((await copy.answer('do', BRIEF)).exitCode).toBe(0);
  await copy.verified();
});

test('a workspace without a single event has a backup too', async () => {
  const workspace = Workspace.trusted();
  const file = join(tempFolder(), 'empty.tar.gz');
  expect((await create(workspace, file)).data.head.seq).toBe(0);
  expect((await workspace.answer('backup', 'verify', file)).exitCode).toBe(0);
  expect(await (await restored(workspace, file)).verified()).toBe(0);
});

test('a run that waits for an approval continues where it was restored', async () => {
  const workspace = Workspace.trusted();
  const { run, approval } = await parkBeforeWriting(workspace, BRIEF);
  const file = join(tempFolder(), 'waiting.tar.gz');
  await create(workspace, file);
  const copy = await restored(workspace, file);
  for (const [path, content] of [['README.md', '# Garden\n']] as const) copy.put(path, content);
  await copy.answer('init', '--trust');
  const { data } = await copy.answer<RunAnswer>('approvals', 'approve', approval);
  expect(data.run).toMatchObject({ id: run, status: 'completed' });
  expect(copy.has('BRIEF.md')).toBe(true);
  expect(workspace.has('BRIEF.md')).toBe(false);
  await copy.verified();
});

test('a vault opens after a restore where its key is, and not without it', async () => {
  const workspace = Workspace.trusted();
  const request = {
    name: 'gh',
    value: 'hunter2-hunter2',
    scopes: ['*'],
    keySource: 'file',
    by: 'me',
  } as const;
  await withOka(workspace, (oka) => oka.vault.add(request));
  const file = join(tempFolder(), 'vault.tar.gz');
  expect((await create(workspace, file)).data).toMatchObject({ vault: true, warnings: [] });
  const { stdout } = await workspace.oka('backup', 'create', file, '--force');
  expect(stdout).toContain('without its key');
  expect(await readBackupEntry(file, 'vault')).toEqual(readFileSync(workspace.at('.oka/vault')));
  expect(await readBackupEntry(file, 'POLICY.md')).toBeUndefined();

  const copy = await restored(workspace, file);
  await copy.answer('init', '--trust');
  expect(await withOka(copy, (oka) => oka.vault.reveal('gh', 'me'))).toBe('hunter2-hunter2');
  const stranger = new Workspace({ root: copy.root, files: {} });
  await stranger.answer('trust', '--yes', '--adopt-ledger');
  await expect(withOka(stranger, (oka) => oka.vault.reveal('gh', 'me'))).rejects.toMatchObject({
    code: 'vault.key_missing',
  });
});

test('content that was erased before a backup is in no part of it', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer<{ fact: { id: string } }>(
    'memory',
    'fact',
    'add',
    'the word is xylophone',
  );
  await workspace.answer('memory', 'fact', 'add', 'the gate is green');
  await workspace.answer('memory', 'retrieve', 'xylophone');
  await workspace.answer('memory', 'fact', 'delete', data.fact.id);
  const file = join(tempFolder(), 'erased.tar.gz');
  await create(workspace, file);
  const parts = await takeApart(file);
  expect(parts.some(({ content }) => content.includes('green'))).toBe(true);
  for (const { header, content } of parts)
    expect({ [header.name]: content.includes('xylophone') }).toEqual({ [header.name]: false });
  expect(await (await restored(workspace, file)).verified()).toBeGreaterThan(0);
});

test('the copy keeps the row numbers that the index of memory refers to', async () => {
  const workspace = Workspace.trusted();
  const ids: string[] = [];
  for (const text of ['ash', 'birch', 'cedar', 'dogwood'])
    ids.push(
      (await workspace.answer<{ fact: { id: string } }>('memory', 'fact', 'add', `the ${text} is old`)).data
        .fact.id,
    );
  await workspace.answer('memory', 'retrieve', 'cedar');
  await workspace.answer('memory', 'fact', 'delete', ids[0] as string);
  const file = join(tempFolder(), 'index.tar.gz');
  await create(workspace, file);
  const copy = await restored(workspace, file);
  await copy.answer('init', '--trust');
  const { data } = await copy.answer<{ hits: { text: string }[] }>('memory', 'retrieve', 'cedar');
  expect(data.hits[0]?.text).toBe('the cedar is old');
});

test('create refuses a file that exists, a place inside .oka and a folder that does not exist', async () => {
  const workspace = Workspace.trusted();
  const folder = tempFolder();
  const file = join(folder, 'old.tar.gz');
  writeFileSync(file, 'mine');
  symlinkSync(workspace.at('.oka'), join(folder, 'link'));
  const cases = [
    [file, 'backup.exists'],
    [workspace.at('.oka/b.tar.gz'), 'backup.inside_workspace'],
    [join(folder, 'link', 'graphs', 'b.tar.gz'), 'backup.inside_workspace'],
    [join(folder, 'none', 'b.tar.gz'), 'backup.not_found'],
  ] as const;
  for (const [path, code] of cases)
    expect(await workspace.refusal('backup', 'create', path)).toMatchObject({ exitCode: 3, error: { code } });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect((await create(workspace, file, '--force')).exitCode).toBe(0);
  expect(readdirSync(folder).sort()).toEqual(['link', 'old.tar.gz']);
});

test('a ledger that does not verify is not backed up', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', BRIEF);
  const database = new DatabaseSync(workspace.at('.oka/oka.db'));
  database.exec(`UPDATE events SET data = replace(data, 'a', 'b') WHERE seq = 3`);
  database.close();
  const folder = tempFolder();
  const { exitCode, error } = await workspace.refusal('backup', 'create', join(folder, 'b.tar.gz'));
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 7, code: 'backup.source_damaged' });
  expect(readdirSync(folder)).toEqual([]);
});

test('an artifact that was damaged on disk is named and no backup is written', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', BRIEF);
  const [{ digest } = { digest: '' }] = data.run.artifacts;
  workspace.put(`.oka/objects/${digest.slice(0, 2)}/${digest.slice(2)}`, 'something else');
  const folder = tempFolder();
  const { exitCode, error } = await workspace.refusal('backup', 'create', join(folder, 'b.tar.gz'));
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 7, code: 'backup.source_damaged' });
  expect(error.message).toContain(digest.slice(2));
  expect(readdirSync(folder)).toEqual([]);
});

/** A workspace that only processes of their own have opened: one that stays would keep it from being replaced. */
async function otherWorkspace(home: string): Promise<Workspace> {
  const other = new Workspace({ home });
  for (const args of [
    ['init', '--trust'],
    ['memory', 'fact', 'add', 'known before'],
  ])
    expect((await other.oka(...args)).exitCode).toBe(0);
  return other;
}

test('restore refuses a workspace that is there; --replace keeps the old one and takes trust away', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', BRIEF);
  const file = join(tempFolder(), 'b.tar.gz');
  await create(workspace, file);
  const other = await otherWorkspace(workspace.home);
  const refused = toRefusal(await other.oka('backup', 'restore', file, '--json'));
  expect(refused).toMatchObject({ exitCode: 3, error: { code: 'backup.workspace_exists' } });

  const reading = other.start('ledger', 'tail', '--follow');
  await reading.said('known before', 'stdout');
  const busy = toRefusal(await other.oka('backup', 'restore', file, '--replace', '--json'));
  expect(busy).toMatchObject({ exitCode: 1, error: { code: 'backup.in_use' } });
  expect(other.text('.oka/run_ledger.jsonl')).toContain('known before');
  reading.kill('SIGKILL');
  await reading.ended;

  const answer = toAnswer<BackupRestoreAnswer>(
    await other.oka('backup', 'restore', file, '--replace', '--json'),
  );
  expect(await other.verified()).toBe(await workspace.verified());
  expect((await other.refusal('do', BRIEF)).error.code).toBe('config.not_trusted');
  expect(readFileSync(join(answer.data.kept as string, 'run_ledger.jsonl'), 'utf8')).toContain(
    'known before',
  );
  expect(readdirSync(other.root).filter((name) => name.startsWith('.oka'))).toEqual(['.oka']);
});

test('a folder that restore made is gone again when the backup is damaged', async () => {
  const workspace = Workspace.trusted();
  const folder = tempFolder();
  const file = join(folder, 'b.tar.gz');
  writeFileSync(file, 'no archive');
  const { exitCode, error } = await workspace.refusal(
    'backup',
    'restore',
    file,
    '--to',
    join(folder, 'a', 'b'),
  );
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 7, code: 'backup.damaged' });
  expect(readdirSync(folder)).toEqual(['b.tar.gz']);
});
