import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BRIEF, SMALL_PROJECT, toRefusal, Workspace } from './oka-process.ts';

const ESCAPE = '\u001b';

async function withOneRun(): Promise<{ workspace: Workspace; run: string }> {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer('do', BRIEF);
  return { workspace, run: data.run.id };
}

test('stdout has only the answer, and stderr the messages', async () => {
  const { workspace, run } = await withOneRun();
  for (const args of [
    ['runs', 'list'],
    ['runs', 'explain', run],
    ['runs', 'replay', run],
    ['ledger', 'tail'],
    ['ledger', 'verify'],
    ['ledger', 'stats'],
    ['doctor'],
    ['help', 'runs'],
  ]) {
    const { exitCode, stdout, stderr } = await workspace.oka(...args);
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^[^\n][\s\S]*\n$/);
  }
  const { stdout, stderr } = await workspace.oka('do', 'read README.md');
  expect(stdout).toBe('# Garden\n\nPlans for beds and paths.\n');
  expect(stderr).toMatch(/^ {2}read README\.md\n {2}✓ done in /);
  const refused = await workspace.oka('runs', 'show', 'nothing');
  expect(refused).toMatchObject({ stdout: '', stderr: expect.stringMatching(/^✗ [^\n]+\n$/) });
});

test('JSON and text output have the same exit code', async () => {
  const workspace = Workspace.trusted();
  for (const args of [
    ['do', 'dance'],
    ['do', 'write x.txt'],
    ['do', BRIEF, '--budget', 'steps=2'],
    ['runs', 'show', 'x'],
    ['doo'],
  ]) {
    const spoken = await workspace.oka(...args);
    const json = await workspace.oka(...args, '--json');
    expect({ args, exitCode: json.exitCode }).toEqual({ args, exitCode: spoken.exitCode });
  }
});

test('--quiet prints only the answer', async () => {
  const workspace = Workspace.trusted();
  const { exitCode, stdout, stderr } = await workspace.oka('do', BRIEF, '--quiet');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^wrote BRIEF\.md/);
  const failed = await workspace.oka('runs', 'show', 'nothing', '--quiet');
  expect(failed.stderr).toMatch(/^✗ .+\(engine\.unknown_run\)\n$/);
});

test('there are no colours or escape codes without a terminal', async () => {
  const { workspace, run } = await withOneRun();
  for (const env of [{}, { FORCE_COLOR: '1', CI: '1' }]) {
    for (const args of [
      ['do', BRIEF],
      ['runs', 'explain', run],
      ['runs', 'show', 'nothing'],
      ['--help'],
      ['ledger', 'tail'],
    ]) {
      const { stdout, stderr } = await workspace.startIn(workspace.root, env, ...args).ended;
      expect({ env, args, coloured: `${stdout}${stderr}`.includes(ESCAPE) }).toEqual({
        env,
        args,
        coloured: false,
      });
    }
  }
});

test('a reader that closes the pipe does not break a command', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [`src/part-${n}.ts`, `export const n = ${n};\n`]),
  );
  const workspace = Workspace.trusted({ files: { ...SMALL_PROJECT, ...files } });
  for (let n = 0; n < 4; n++) await workspace.answer('do', BRIEF);
  for (const args of [
    ['ledger', 'export'],
    ['ledger', 'tail', '--last', '1000'],
    ['ledger', 'export', '--json'],
  ]) {
    const started = workspace.start(...args);
    started.child.stdout?.once('data', () => started.child.stdout?.destroy());
    const { exitCode, stderr } = await started.ended;
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: '' });
  }
  for (const args of [['runs', 'list'], ['do', 'read README.md'], ['do', BRIEF, '--json'], ['--version']]) {
    const started = workspace.start(...args);
    started.child.stdout?.destroy();
    const { exitCode, stderr } = await started.ended;
    expect({ args, exitCode }).toEqual({ args, exitCode: 0 });
    expect(stderr).not.toMatch(/EPIPE|\n\s+at /);
  }
  const silent = workspace.start('do', BRIEF);
  silent.child.stderr?.destroy();
  expect(await silent.ended).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('wrote BRIEF.md'),
  });
  await workspace.verified();
});

test('an unprintable answer is a failure, and an unprintable message is not', async ({ skip }) => {
  if (!existsSync('/dev/full')) return skip('this system has no device that is always full');
  const { root, home } = Workspace.trusted();
  const intoNothing = (stream: number): Workspace =>
    new Workspace({ root, home, files: {}, through: ['sh', '-c', `exec "$@" ${stream}> /dev/full`, 'sh'] });
  for (const args of [
    ['runs', 'list'],
    ['runs', 'list', '--json'],
    ['do', BRIEF],
    ['--help'],
    ['--version'],
  ]) {
    const { exitCode, stderr } = await intoNothing(1).oka(...args);
    expect({ args, exitCode }).toEqual({ args, exitCode: 1 });
    expect(stderr).toMatch(/✗ Cannot write the output: ENOSPC[^\n]*\n$/);
  }
  expect(await intoNothing(2).oka('do', BRIEF)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('wrote BRIEF.md'),
  });
});

test('every version option prints the package version', async () => {
  const workspace = new Workspace({ files: {} });
  const plain = await workspace.oka('--version');
  expect(plain).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  expect((await workspace.oka('-V')).stdout).toBe(plain.stdout);
  expect((await workspace.oka('--quiet', '--version')).stdout).toBe(plain.stdout);
  expect((await workspace.oka('runs', '--help')).stdout).toContain('Examples:');
  expect((await workspace.oka('--help')).stdout).toMatch(/^Examples:\n/);
});

test('a JSON error has a code and data', async () => {
  const workspace = new Workspace();
  const { error } = toRefusal(await workspace.oka('do', 'x', '--json', '--quiet', '--no-input'));
  expect(error).toEqual({
    code: 'config.not_trusted',
    message: expect.any(String),
    data: { workspace: workspace.root },
  });
});
