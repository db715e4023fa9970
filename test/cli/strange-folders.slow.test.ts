import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { BRIEF, Workspace } from './oka-process.ts';

test.each([
  'ünïcødé — 日本語 — עברית',
  'quo\'te "double" $HOME `x` ;&| 100%d {}',
  '-dash\nnew line\tand tab',
])('works in a folder named %j, given as a path and as the current folder', async (name) => {
  const root = join(tempFolder(), name);
  mkdirSync(root);
  const workspace = Workspace.trusted({ root });
  expect(await workspace.answer('do', 'write a brief of this folder to "Kürze 1.md"')).toMatchObject({
    exitCode: 0,
    data: { output: { brief: 'Kürze 1.md' } },
  });
  expect(workspace.text('Kürze 1.md')).toContain('späte Blüte.md');
  const elsewhere = await workspace.startIn(
    '/',
    {},
    '-C',
    root,
    'do',
    'read "notes/späte Blüte.md"',
    '--json',
  ).ended;
  expect(elsewhere).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('# Späte Blüte') });
  expect((await workspace.startIn('/', {}, '-C', `${root}/`, 'ledger', 'verify').ended).exitCode).toBe(0);
});

test('a brief of a folder with binaries, link loops, pipes and devices does not hang or follow them', async () => {
  const outside = tempFolder();
  const workspace = Workspace.trusted();
  workspace.put(
    'picture.png',
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0xff, 0xfe]),
  );
  workspace.put('README.txt', Buffer.from([0xff, 0xfe, 0x00, 0xd8]));
  workspace.put('zeroes.md', Buffer.alloc(300_000));
  workspace.put('huge.ts', `// TODO ${'x'.repeat(3_000_000)}\n`);
  mkdirSync(workspace.at('loop'));
  symlinkSync('..', workspace.at('loop/up'));
  symlinkSync('self', workspace.at('self'));
  symlinkSync('ring-two', workspace.at('ring-one'));
  symlinkSync('ring-one', workspace.at('ring-two'));
  symlinkSync(outside, workspace.at('outside'));
  symlinkSync('/etc/passwd', workspace.at('passwd.md'));
  symlinkSync('/dev/zero', workspace.at('endless.md'));
  execFileSync('mkfifo', [workspace.at('pipe.md')]);
  let deep = 'deep';
  for (let level = 0; level < 40; level++) deep = join(deep, `level-${level}`);
  mkdirSync(workspace.at(deep), { recursive: true });

  const { exitCode, data } = await workspace.answer('do', BRIEF);
  expect({ exitCode, status: data.run.status, failure: data.run.failure }).toEqual({
    exitCode: 0,
    status: 'completed',
  });
  expect(workspace.text('BRIEF.md')).toContain('huge.ts');
  expect(workspace.text('BRIEF.md')).not.toContain('root:');

  for (const path of ['pipe.md', 'endless.md', 'passwd.md', 'self', 'ring-one', 'loop']) {
    const { exitCode: refused, data: failed } = await workspace.answer('do', `read ${path}`);
    expect({ path, refused, status: failed.run.status }).toEqual({ path, refused: 1, status: 'failed' });
    expect(failed.run.failure?.code).toMatch(/^files\./);
  }
  await workspace.verified();
});

test('goals that target outside or protected paths change nothing', async () => {
  const workspace = Workspace.trusted();
  const wrong: [string, RegExp][] = [
    ['../outside.txt', /^files\.outside_workspace$/],
    ['/tmp/oka-outside.txt', /^files\.outside_workspace$/],
    ['.oka/config.json', /^files\.protected$/],
    ['.git/hooks/pre-commit', /^files\.protected$/],
    ['POLICY.md', /^files\.protected$/],
    ['README.md/below.txt', /^files\./],
  ];
  for (const [path, code] of wrong) {
    const { exitCode, data } = await workspace.answer('do', `write "x" to ${path}`);
    expect({ path, exitCode, status: data.run.status }).toEqual({ path, exitCode: 1, status: 'failed' });
    expect(data.run.failure?.code).toMatch(code);
  }
  expect(workspace.text('README.md')).toMatch(/^# Garden/);
  for (const path of ['../outside.txt', '.oka/config.json', '.git', 'POLICY.md'])
    expect(workspace.has(path)).toBe(false);
});

test('an empty folder has a brief', async () => {
  const workspace = Workspace.trusted({ files: {} });
  expect(await workspace.answer('do', BRIEF)).toMatchObject({ exitCode: 0, data: { output: { files: 0 } } });
});
