// The programs inside the container, run as they are.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folderWith, root } from '../checkout.ts';

const container = join(root, 'deploy', 'container');

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe('oka in the container', () => {
  const printEnvironment = 'console.log(JSON.stringify({ args: process.argv.slice(2), env: process.env }))';

  function run(secrets: Readonly<Record<string, string>>) {
    const folder = folderWith({ 'bin/oka.cjs': printEnvironment, 'secrets/none': '', 'tmp/none': '' });
    for (const [name, content] of Object.entries(secrets))
      writeFileSync(join(folder, 'secrets', name), content);
    mkdirSync(join(folder, 'container'));
    const program = join(folder, 'container', 'oka.sh');
    copyFileSync(join(container, 'oka.sh'), program);
    const env = {
      PATH: process.env['PATH'],
      OKA_SECRETS: join(folder, 'secrets'),
      TMPDIR: join(folder, 'tmp'),
    };
    const { stdout, stderr } = spawnSync(program, ['worker', '/work space'], { encoding: 'utf8', env });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as { args: readonly string[]; env: Readonly<Record<string, string>> };
  }

  test('passes its arguments on and needs no secret', () => {
    const { args, env } = run({});
    expect(args).toEqual(['worker', '/work space']);
    expect(Object.keys(env)).not.toContain('PGPASSFILE');
    expect(Object.keys(env)).not.toContain('OKA_PROJECT_TOKEN');
  });

  test('makes a private copy of the password file, which PostgreSQL clients require', () => {
    const { env } = run({ pgpass: 'postgres:5432:*:oka:word\n' });
    const file = env['PGPASSFILE'] ?? '';
    expect(readFileSync(file, 'utf8')).toBe('postgres:5432:*:oka:word\n');
    expect(modeOf(file)).toBe(0o600);
    expect(modeOf(join(file, '..'))).toBe(0o700);
  });

  test('takes the tokens of projects from files', () => {
    const { env } = run({ 'project-token': 'one', 'project-token-web-shop': 'two' });
    expect(env).toMatchObject({ OKA_PROJECT_TOKEN: 'one', OKA_PROJECT_TOKEN_WEB_SHOP: 'two' });
  });
});

describe('the health check', () => {
  async function check(
    args: readonly string[],
    path = '',
  ): Promise<{ exitCode: number | null; said: string }> {
    const env = { PATH: [path, process.env['PATH']].join(delimiter) };
    const child = spawn(process.execPath, [join(container, 'health.mjs'), ...args], { env });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const said = await text(child.stderr);
    return { exitCode: await exited, said };
  }

  async function workerThatAnswers(status: number): Promise<string> {
    const server = createServer((_, response) => {
      response.statusCode = status;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return String((server.address() as AddressInfo).port);
  }

  /** A folder with an `oka` that prints the status of a daemon. */
  function statusOf(daemon: object | null): string {
    const answer = JSON.stringify({ version: 1, ok: true, data: { daemon } });
    const folder = folderWith({ oka: `#!/bin/sh\necho '${answer}'\n` });
    chmodSync(join(folder, 'oka'), 0o755);
    return folder;
  }

  test('passes for a worker that refuses whoever has not its key', async () => {
    expect(await check(['worker', await workerThatAnswers(401)])).toEqual({ exitCode: 0, said: '' });
  });

  test('fails for a worker that answers with an error, and for none', async () => {
    expect(await check(['worker', await workerThatAnswers(503)])).toEqual({
      exitCode: 1,
      said: 'the worker answers 503\n',
    });
    expect(await check(['worker', await workerThatAnswers(200)])).toMatchObject({ exitCode: 1 });
    expect(await check(['worker', '1'])).toMatchObject({
      exitCode: 1,
      said: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('passes while the daemon answers, and fails when there is none', async () => {
    expect(await check(['daemon'], statusOf({ pid: 7 }))).toEqual({ exitCode: 0, said: '' });
    expect(await check(['daemon'], statusOf(null))).toEqual({
      exitCode: 1,
      said: 'the daemon does not answer\n',
    });
  });
});

test('make-secrets creates secrets once, in a folder that only its owner may enter', () => {
  const folder = folderWith({});
  copyFileSync(join(root, 'deploy', 'make-secrets.sh'), join(folder, 'make-secrets.sh'));
  const make = () => expect(spawnSync('sh', [join(folder, 'make-secrets.sh')]).status).toBe(0);
  const read = () =>
    ['postgres-password', 'pgpass', 'project-token'].map((name) =>
      readFileSync(join(folder, 'secrets', name), 'utf8'),
    );
  make();
  const [password = '', passwordFile, token] = read();
  expect(password).toMatch(/^[\da-f]{64}$/);
  expect(passwordFile).toBe(`postgres:5432:*:oka:${password}\n`);
  expect(token).toMatch(/^[\da-f]{64}$/);
  expect(token).not.toBe(password);
  expect(modeOf(join(folder, 'secrets'))).toBe(0o700);
  expect(modeOf(join(folder, 'secrets', 'pgpass'))).toBe(0o444);
  make();
  expect(read()).toEqual([password, passwordFile, token]);
});
