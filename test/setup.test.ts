import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { copyInto, folderWith, npmCalls, root, runNode, smallCheckout, writeFiles } from './checkout.ts';

const start = ['scripts/start.mjs', '--once'];

const { installFailure } = (await import(new URL('../scripts/setup-failure.mjs', import.meta.url).href)) as {
  installFailure: (result: { exitCode: number; output: string }, log: string) => Error;
};

test('a start installs, links, builds and runs what is not up to date', async () => {
  const checkout = smallCheckout();
  const unbuilt = await runNode(checkout, ['bin/oka.cjs', 'runs']).ended;
  expect(unbuilt).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `Oka is not built yet. Build it with: npm install --prefix ${checkout}\n`,
  });
  const first = await runNode(checkout, start).ended;
  expect(first).toMatchObject({ exitCode: 3, stdout: 'ran: start --once\n' });
  expect(first.stderr).toMatch(
    /^Installing packages …\nInstalling packages took .+\nBuilding …\nBuilding took .+\n$/,
  );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const linked = await runNode(checkout, ['node_modules/.bin/oka', '--version']).ended;
  expect(linked).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });

  const second = await runNode(checkout, start).ended;
  expect(second).toEqual({ exitCode: 3, stdout: 'ran: start --once\n', stderr: '' });
  expect(npmCalls(checkout)).toBe(1);

  writeFiles(checkout, { 'src/cli/main.ts': "export const main = async () => console.log('changed') ?? 0;" });
  const rebuilt = await runNode(checkout, start).ended;
  expect(rebuilt).toMatchObject({ exitCode: 0, stdout: 'changed\n' });
  expect(npmCalls(checkout)).toBe(1);

  writeFiles(checkout, { 'package-lock.json': '{}' });
  await runNode(checkout, start).ended;
  expect(npmCalls(checkout)).toBe(2);
  rmSync(join(checkout, 'node_modules'), { recursive: true });
  await runNode(checkout, start).ended;
  expect(npmCalls(checkout)).toBe(3);
});

const prepare = ['scripts/prepare.mjs'];

test('a global install of a checkout installs its packages and builds it, once', async () => {
  const checkout = smallCheckout();
  const env = { npm_config_global: 'true', npm_config_prefix: '/nowhere' };
  expect(await runNode(checkout, prepare, env).ended).toMatchObject({ exitCode: 0 });
  const built = await runNode(checkout, ['bin/oka.cjs', 'hello']).ended;
  expect(built).toMatchObject({ exitCode: 3, stdout: 'ran: hello\n' });
  expect(await runNode(checkout, prepare, env).ended).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  expect(await runNode(checkout, start).ended).toMatchObject({ exitCode: 3, stderr: '' });
  expect(npmCalls(checkout)).toBe(1);
});

test('npm install in a checkout builds it without installing again', async () => {
  const checkout = smallCheckout();
  mkdirSync(join(checkout, 'node_modules'));
  symlinkSync(join(root, 'node_modules', 'esbuild'), join(checkout, 'node_modules', 'esbuild'), 'junction');
  expect(await runNode(checkout, prepare).ended).toMatchObject({ exitCode: 0 });
  expect(await runNode(checkout, ['bin/oka.cjs', 'hello']).ended).toMatchObject({ stdout: 'ran: hello\n' });
  expect(npmCalls(checkout)).toBe(0);
});

test('prepare does nothing without the packages that the build needs, and in an installed package', async () => {
  const quiet = { exitCode: 0, stdout: '', stderr: '' };
  const checkout = smallCheckout();
  expect(await runNode(checkout, prepare).ended).toEqual(quiet);
  expect(existsSync(join(checkout, 'dist'))).toBe(false);
  const installed = folderWith({});
  copyInto(installed, 'scripts/prepare.mjs');
  expect(await runNode(installed, prepare, { npm_config_global: 'true' }).ended).toEqual(quiet);
});

test.each([
  ['npm error code ENOTFOUND\nnpm error network request failed', /registry cannot be reached \(ENOTFOUND\)/],
  ['npm error code EAI_AGAIN', /registry cannot be reached \(EAI_AGAIN\)/],
  ['npm error code ECONNREFUSED', /registry cannot be reached \(ECONNREFUSED\)/],
  ['npm error code ETIMEDOUT', /registry cannot be reached \(ETIMEDOUT\)/],
  ['npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write', /disk is full \(ENOSPC\)/],
  ['npm error code EACCES\nnpm error syscall mkdir', /folder cannot be written \(EACCES\)/],
  ['npm error code EBADENGINE', /does not support Node .+: use Node/],
  ['npm error code EUSAGE', /disagree: run npm install/],
  ['npm error something new', /Installing packages failed \(npm ended with 1\)/],
])('npm that says "%s" becomes one sentence', (output, sentence) => {
  const { message } = installFailure({ exitCode: 1, output: `${output}\n` }, '.setup/install.log');
  expect(message).toMatch(sentence);
  expect(message).toMatch(/^[^\n]+\. Full log: \.setup\/install\.log$/);
});

test('an install that fails prints one sentence, keeps the log, and can be run again', async () => {
  const output = 'npm error code EACCES\nnpm error syscall mkdir\n';
  const checkout = smallCheckout({ 'npm-error': output });
  const { exitCode, stdout, stderr } = await runNode(checkout, start).ended;
  const [, , said, ...rest] = stderr.split('\n');
  expect(said).toMatch(/folder cannot be written \(EACCES\).+\. Full log: \.setup\/install\.log$/);
  expect({ exitCode, stdout, rest }).toEqual({ exitCode: 1, stdout: '', rest: [''] });
  expect(readFileSync(join(checkout, '.setup', 'install.log'), 'utf8')).toBe(output);

  rmSync(join(checkout, 'npm-error'));
  expect(await runNode(checkout, start).ended).toMatchObject({ exitCode: 3 });
});

test('npm that keeps asking a registry out of reach is stopped early', async () => {
  const attempt = 'npm http fetch GET https://registry.example/zod attempt 1 failed with EAI_AGAIN\n';
  const checkout = smallCheckout({ 'npm-error': attempt.repeat(20), 'npm-wait': '' });
  const { exitCode, stderr } = await runNode(checkout, start).ended;
  expect(stderr).toMatch(/registry cannot be reached \(EAI_AGAIN\)/);
  expect(exitCode).toBe(1);
});

test('npm that is missing becomes one sentence', async () => {
  const checkout = smallCheckout();
  const { exitCode, stderr } = await runNode(checkout, start, { npm_execpath: undefined, PATH: '' }).ended;
  expect(stderr.split('\n').slice(2)).toEqual([expect.stringMatching(/^npm was not found: install it/), '']);
  expect(exitCode).toBe(1);
});

test('a source that does not compile becomes one sentence that names the place', async () => {
  const checkout = smallCheckout({ 'src/cli/main.ts': 'export const = 1;' });
  const { exitCode, stderr } = await runNode(checkout, start).ended;
  expect(stderr).toMatch(
    /\nThe build failed \(src\/cli\/main\.ts:1:13: .+\): .+ Full log: \.setup\/build\.log\n$/,
  );
  expect(exitCode).toBe(1);
});

test('an old Node is told so in one sentence', async () => {
  const oldNode = "data:text/javascript,Object.defineProperty(process,'version',{value:'v20.18.3'})";
  const { exitCode, stderr } = await runNode(smallCheckout(), ['--import', oldNode, ...start]).ended;
  expect(stderr).toMatch(/^Oka needs Node 20\.19 or newer and this is v20\.18\.3: [^\n]+\n$/);
  expect(exitCode).toBe(1);
});

test.each(['setup', 'start', 'test'])('scripts/%s.mjs can be read by Node 12', async (name) => {
  const code = readFileSync(join(root, 'scripts', `${name}.mjs`), 'utf8');
  const loweredTo = async (target: string): Promise<string> => (await transform(code, { target })).code;
  expect(await loweredTo('node12.20')).toBe(await loweredTo('esnext'));
});

test('two set-ups at once: the second waits and finds the work done', async () => {
  const checkout = smallCheckout({ 'npm-wait': '' });
  const first = runNode(checkout, start);
  await said(first.process.stderr, 'Installing packages');
  const second = runNode(checkout, start);
  await said(second.process.stderr, 'Waiting for another set-up');
  rmSync(join(checkout, 'npm-wait'));
  expect(await first.ended).toMatchObject({ exitCode: 3 });
  expect(await second.ended).toMatchObject({
    exitCode: 3,
    stderr: expect.not.stringContaining('Installing'),
  });
  expect(npmCalls(checkout)).toBe(1);
});

test('the lock of a set-up that was killed is taken over, once nothing that it started runs', async () => {
  const dead = spawnSync(process.execPath, ['-e', '0']).pid;
  const lock = (...pids: number[]) => ({
    '.setup/lock': pids.map((pid) => `${hostname()} ${pid}\n`).join(''),
  });
  const checkout = smallCheckout(lock(dead, dead));
  const took = await runNode(checkout, start).ended;
  expect(took).toMatchObject({ exitCode: 3, stderr: expect.not.stringContaining('Waiting') });

  writeFiles(checkout, { 'package-lock.json': '{}', ...lock(dead, process.pid) });
  const waiting = runNode(checkout, start);
  await said(waiting.process.stderr, 'Waiting for another set-up');
  rmSync(join(checkout, '.setup', 'lock'));
  expect(await waiting.ended).toMatchObject({ exitCode: 3 });
});

test('a set-up that is stopped ends its npm, says so, and can be run again', async () => {
  const checkout = smallCheckout({ 'npm-wait': '' });
  const stopped = runNode(checkout, start);
  await said(stopped.process.stderr, 'Installing packages');
  stopped.process.kill('SIGTERM');
  const { exitCode, stderr } = await stopped.ended;
  expect(stderr).toMatch(/\nSet-up was stopped \(SIGTERM\): run the command again to go on\.\n$/);
  expect(exitCode).toBe(1);
  rmSync(join(checkout, 'npm-wait'));
  expect(await runNode(checkout, start).ended).toMatchObject({ exitCode: 3 });
});

/** Waits until a stream has said these words. */
function said(stream: NodeJS.ReadableStream | null, words: string): Promise<void> {
  let heard = '';
  return new Promise((resolve, reject) => {
    stream?.on('data', (chunk: Buffer) => {
      heard += chunk.toString();
      if (heard.includes(words)) resolve();
    });
    stream?.on('end', () => reject(new Error(`"${words}" was never said, but: ${heard}`)));
  });
}
