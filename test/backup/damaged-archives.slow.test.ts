import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBackupEntry } from '../../src/adapters/backup/index.ts';
import type { BackupVerifyAnswer } from '../../src/api/index.ts';
import { type Digest, digestOf } from '../../src/kernel/index.ts';
import { BRIEF, Workspace } from '../cli/oka-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  type Part,
  putTogether,
  sealed,
  takeApart,
  unsealed,
  verify,
  withManifest,
  withOka,
} from './backup-kit.ts';

/** A workspace with a run, and a backup of it. */
async function backedUp(): Promise<{ workspace: Workspace; file: string; parts: Part[] }> {
  const workspace = Workspace.trusted();
  await workspace.answer('do', BRIEF);
  const file = join(tempFolder(), 'b.tar.gz');
  await workspace.answer('backup', 'create', file);
  return { workspace, file, parts: await takeApart(file) };
}

test('every command detects an archive that was changed or truncated anywhere', async () => {
  const { workspace, file } = await backedUp();
  const bytes = readFileSync(file);
  const damaged = join(dirname(file), 'damaged.tar.gz');
  const places = [
    0,
    4,
    8,
    9,
    10,
    40,
    bytes.length - 67,
    bytes.length - 59,
    bytes.length - 20,
    bytes.length - 1,
  ];
  for (let i = 1; i < 6; i += 1) places.push(Math.floor((i * bytes.length) / 6));
  for (const place of places) {
    const flipped = Buffer.from(bytes);
    flipped[place] = (flipped[place] as number) ^ 1;
    writeFileSync(damaged, flipped);
    expect({ place, ok: (await verify(damaged)).ok }).toEqual({ place, ok: false });
    writeFileSync(damaged, bytes.subarray(0, place));
    expect({ cutAt: place, ok: (await verify(damaged)).ok }).toEqual({ cutAt: place, ok: false });
  }
  writeFileSync(damaged, Buffer.concat([bytes, Buffer.from('x')]));
  const { exitCode, data } = await workspace.answer<BackupVerifyAnswer>('backup', 'verify', damaged);
  expect({ exitCode, ok: data.ok }).toEqual({ exitCode: 7, ok: false });
  const refused = await workspace.refusal('backup', 'restore', damaged, '--to', join(tempFolder(), 'to'));
  expect(refused).toMatchObject({ exitCode: 7, error: { code: 'backup.damaged' } });
  await workspace.verified();
});

const link = (name: string, type: 'symlink' | 'link', linkname: string): Part => ({
  header: { name, type, linkname },
  content: Buffer.alloc(0),
});
const extra = (name: string, text = 'evil'): Part => ({
  header: { name, type: 'file', mode: 0o600 },
  content: Buffer.from(text),
});

/** Archives with a seal and a manifest digest that fit, made by somebody who means harm. */
const HARMFUL: readonly (readonly [string, (parts: Part[]) => Part[], string])[] = [
  ['an extra entry above the folder', (parts) => [...parts, extra('../x')], 'not named by the manifest'],
  ['an extra absolute entry', (parts) => [...parts, extra('/tmp/oka-evil')], 'not named by the manifest'],
  ['an extra link', (parts) => [...parts, link('graphs', 'symlink', '/tmp')], 'not named by the manifest'],
  [
    'a missing entry',
    (parts) => parts.filter(({ header }) => header.name !== 'run_ledger.jsonl'),
    'is missing',
  ],
  ['an entry twice', (parts) => [...parts, parts.at(-1) as Part], 'is there twice'],
  [
    'a symbolic link in the place of a file',
    (parts) =>
      parts.map((part) =>
        part.header.name === '.gitignore' ? link('.gitignore', 'symlink', '/etc/passwd') : part,
      ),
    'not a file',
  ],
  [
    'a hard link in the place of a file',
    (parts) =>
      parts.map((part) => (part.header.name === '.gitignore' ? link('.gitignore', 'link', 'oka.db') : part)),
    'not a file',
  ],
  [
    'other content',
    (parts) =>
      parts.map((part) =>
        part.header.name === '.gitignore' ? extra('.gitignore', '#'.repeat(part.content.length)) : part,
      ),
    'does not have the digest',
  ],
  [
    'another size',
    (parts) => parts.map((part) => (part.header.name === '.gitignore' ? extra('.gitignore') : part)),
    'bytes instead of',
  ],
  ['no manifest', (parts) => parts.slice(1), 'does not begin with manifest.json'],
  [
    'a manifest that is not first',
    ([first, second, ...rest]) => [second as Part, first as Part, ...rest],
    'does not begin',
  ],
  ['a manifest that is no JSON', ([, ...rest]) => [extra('manifest.json'), ...rest], 'is not JSON'],
  ['a manifest of null', ([, ...rest]) => [extra('manifest.json', 'null'), ...rest], 'not a JSON object'],
  ...[
    '../x',
    '/x',
    'graphs/../../x',
    'graphs//x',
    'run/daemon.json',
    'hooks',
    'graphs',
    'graphs\\..\\x',
    'OKA.DB',
    'oka.db-wal',
  ].map(
    (path) =>
      [
        `a manifest that names ${path}`,
        (parts: Part[]) => [...withManifest(parts, (manifest) => named(manifest, path)), extra(path)],
        'path that a backup never holds',
      ] as const,
  ),
  [
    'a huge size',
    (parts) =>
      withManifest(parts, (manifest) => ({
        ...manifest,
        entries: manifest.entries.map((entry) =>
          entry.path === 'oka.db' ? { ...entry, bytes: 2 ** 50 } : entry,
        ),
      })),
    'cannot fit',
  ],
  [
    'a file and a folder of one name',
    (parts) => withManifest(parts, (manifest) => named(named(manifest, 'skills/a'), 'skills/a/b')),
    'as a file and as a folder',
  ],
  [
    'another head',
    (parts) => withManifest(parts, (manifest) => ({ ...manifest, head: { ...manifest.head, seq: 1 } })),
    'not at event 1',
  ],
  [
    'a mirror that is cut off',
    (parts) =>
      replaced(parts, 'run_ledger.jsonl', (content) => content.subarray(0, content.lastIndexOf('{"seq"'))),
    'lacks 1 events',
  ],
  [
    'a database that is none',
    (parts) => replaced(parts, 'oka.db', (content) => Buffer.alloc(content.length, 'x')),
    'cannot be read',
  ],
  [
    'an event that was changed',
    (parts) =>
      replaced(parts, 'oka.db', (content) =>
        Buffer.from(content.toString('latin1').replaceAll('procedures.write', 'procedures.wrote'), 'latin1'),
      ),
    '',
  ],
];

type Manifest = Parameters<Parameters<typeof withManifest>[1]>[0];

function named(manifest: Manifest, path: string): Manifest {
  const content = Buffer.from('evil');
  return {
    ...manifest,
    entries: [...manifest.entries, { path, bytes: content.length, digest: digestOf(content) }],
  };
}

/** Another content under a manifest that fits it. */
function replaced(parts: readonly Part[], path: string, change: (content: Buffer) => Buffer): Part[] {
  const content = change((parts.find(({ header }) => header.name === path) as Part).content);
  const changed = parts.map((part) => (part.header.name === path ? { ...part, content } : part));
  const about = { path, bytes: content.length, digest: digestOf(content) as Digest };
  return withManifest(changed, (manifest) => ({
    ...manifest,
    entries: manifest.entries.map((entry) => (entry.path === path ? about : entry)),
  }));
}

test('malicious archives are refused, and none of their content is written', async () => {
  const { workspace, file, parts } = await backedUp();
  const folder = tempFolder();
  const harmful = join(folder, 'harmful.tar.gz');
  for (const [what, change, expected] of HARMFUL) {
    await putTogether(harmful, change(parts));
    const { ok, faults } = await verify(harmful);
    expect({ what, ok }).toEqual({ what, ok: false });
    expect({ what, faults: faults.map((fault) => fault.what).join(', ') }).toEqual({
      what,
      faults: expect.stringContaining(expected),
    });
    const to = join(folder, 'to');
    await expect(
      withOka(workspace, (oka) => oka.backup.restore({ file: harmful, to, replace: false })),
    ).rejects.toMatchObject({
      code: 'backup.damaged',
    });
    expect({ what, left: readdirSync(folder) }).toEqual({ what, left: ['harmful.tar.gz'] });
  }
  await putTogether(harmful, parts);
  expect((await verify(harmful)).faults).toEqual([]);
  expect((await verify(file)).ok).toBe(true);
});

test('bytes hidden between the entries of an archive are not kept in memory', async () => {
  const { file } = await backedUp();
  const tar = gunzipSync(unsealed(file));
  const size = 32 * 1024 * 1024;
  // The header of a pax block of that size, which a tar library would collect whole.
  const header = Buffer.from(tar.subarray(0, 512));
  header.fill(0, 0, 100).write('PaxHeader', 0);
  header.write(`${size.toString(8).padStart(11, '0')} `, 124);
  header.write('x', 156);
  header.write('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const bomb = join(tempFolder(), 'bomb.tar.gz');
  await sealed(bomb, gzipSync(Buffer.concat([header, Buffer.alloc(size)])));
  const { faults } = await verify(bomb);
  expect(faults.map(({ what }) => what).join()).toContain('more bytes than its entries announce');
});

test('a backup of a newer format or schema is refused with advice to update Oka', async () => {
  const { file, parts } = await backedUp();
  const newer = join(dirname(file), 'newer.tar.gz');
  const first = parts[0] as Part;
  const content = Buffer.from(first.content.toString().replace('"format": 1', '"format": 2'));
  await putTogether(newer, [{ ...first, content }, ...parts.slice(1)]);
  await expect(verify(newer)).rejects.toMatchObject({ code: 'backup.newer_format' });
  await putTogether(
    newer,
    withManifest(parts, (manifest) => ({ ...manifest, schema: 999 })),
  );
  await expect(verify(newer)).rejects.toMatchObject({ code: 'ledger.newer_schema' });
});

test('an entry is read by its path and checked against its digest, even if the archive is truncated after it', async () => {
  const { file, parts } = await backedUp();
  const blob = parts.find(({ header }) => header.name.startsWith('objects/')) as Part;
  expect(await readBackupEntry(file, blob.header.name)).toEqual(blob.content);
  expect(await readBackupEntry(file, 'objects/00/none')).toBeUndefined();
  await expect(readBackupEntry(join(dirname(file), 'none'), 'vault')).rejects.toMatchObject({
    code: 'backup.not_found',
  });
  const damaged = join(dirname(file), 'damaged.tar.gz');
  const bytes = readFileSync(file);
  writeFileSync(damaged, bytes.subarray(0, bytes.length - 100));
  const mirror = parts.find(({ header }) => header.name === 'run_ledger.jsonl') as Part;
  expect(await readBackupEntry(damaged, 'run_ledger.jsonl')).toEqual(mirror.content);
  writeFileSync(damaged, bytes.subarray(0, 600));
  await expect(readBackupEntry(damaged, blob.header.name)).rejects.toMatchObject({ code: 'backup.damaged' });
  await putTogether(
    damaged,
    parts.map((part) => (part === blob ? { ...part, content: Buffer.alloc(blob.content.length) } : part)),
  );
  await expect(readBackupEntry(damaged, blob.header.name)).rejects.toMatchObject({ code: 'backup.damaged' });
});
