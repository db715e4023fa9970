// What a backup never holds: git would run what a repository in a restored skill says, and programs act on hidden files.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { whyLeftOut } from '../../src/adapters/backup/manifest.ts';
import { digestOf } from '../../src/kernel/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { manifestOf, type Part, putTogether, takeApart, withManifest, withOka } from './backup-kit.ts';

const HOSTILE = [
  'skills/weed/.git/config',
  'skills/weed/.GIT/config',
  'skills/weed/git~1/config',
  'skills/weed/.g\u200bit/config',
  'skills/weed/HEAD',
  'skills/weed/deep/head',
  'agents/.envrc',
  'graphs/.vscode/tasks.json',
];
const TEXT = 'echo stolen\n';

async function backUp(): Promise<{ readonly root: string; readonly home: string; readonly file: string }> {
  const place = { root: tempFolder(), home: join(tempFolder(), 'home') };
  const file = join(tempFolder(), 'garden.tar.gz');
  await withOka(place, async (oka) => {
    await oka.init({ trust: true });
    for (const path of ['skills/weed/SKILL.md', 'skills/weed/.git/config', 'skills/weed/.git/HEAD']) {
      mkdirSync(dirname(join(place.root, '.oka', path)), { recursive: true });
      writeFileSync(join(place.root, '.oka', path), TEXT);
    }
    const { warnings } = await oka.backup.create({ file, force: false });
    expect(warnings).toMatchObject([{ where: '.oka/skills/weed/.git' }]);
  });
  return { ...place, file };
}

/** The parts with more entries, as an earlier version or somebody with bad intentions writes them. */
function withEntries(parts: readonly Part[], paths: readonly string[], mode = 0o600): Part[] {
  const content = Buffer.from(TEXT);
  const added = paths.map((path) => ({ path, bytes: content.length, digest: digestOf(content) }));
  const named = withManifest(parts, (manifest) => ({
    ...manifest,
    entries: [...manifest.entries, ...added],
  }));
  const entries = paths.map((name) => ({
    header: { name, type: 'file', mode, size: content.length },
    content,
  }));
  return [...named, ...(entries as unknown as Part[])];
}

it('a backup leaves out repositories and hidden files, and restore too, with everything else in place', async () => {
  const place = await backUp();
  const parts = await takeApart(place.file);
  expect(manifestOf(parts).entries.map(({ path }) => path)).toContain('skills/weed/SKILL.md');
  const forged = join(tempFolder(), 'forged.tar.gz');
  await putTogether(forged, withEntries(parts, HOSTILE));
  const to = join(tempFolder(), 'restored');
  const { warnings } = await withOka(place, (oka) =>
    oka.backup.restore({ file: forged, to, replace: false }),
  );
  expect(warnings.map(({ where }) => where)).toEqual(HOSTILE.map((path) => `.oka/${path}`));
  for (const path of HOSTILE) expect(existsSync(join(to, '.oka', path)), path).toBe(false);
  expect(readFileSync(join(to, '.oka/skills/weed/SKILL.md'), 'utf8')).toBe(TEXT);
});

it('restore refuses an archive with a set-uid file', async () => {
  const place = await backUp();
  const forged = join(tempFolder(), 'forged.tar.gz');
  await putTogether(forged, withEntries(await takeApart(place.file), ['skills/weed/tool'], 0o4755));
  const to = join(tempFolder(), 'restored');
  const restoring = withOka(place, (oka) => oka.backup.restore({ file: forged, to, replace: false }));
  await expect(restoring).rejects.toMatchObject({ code: 'backup.damaged' });
  expect(existsSync(to)).toBe(false);
});

it('leaves out every path with a hidden name below a folder of people, and no other path but a HEAD', () => {
  const name = fc.stringMatching(/^\.?[a-z][a-z0-9_-]{0,6}$/);
  const path = fc.tuple(
    fc.constantFrom('agents', 'graphs', 'procedures', 'skills'),
    fc.array(name, { minLength: 1 }),
  );
  fc.assert(
    fc.property(path, ([folder, names]) => {
      const expected = names.some((one) => one.startsWith('.') || one === 'head');
      expect(whyLeftOut([folder, ...names].join('/')) !== undefined).toBe(expected);
    }),
  );
  expect(whyLeftOut('.gitignore')).toBeUndefined();
});
