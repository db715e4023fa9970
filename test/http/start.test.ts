// `npm start`: the job in the terminal, then the web app with the page of its run.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recordOf } from '../../src/cli/recorded-process.ts';
import { Workspace } from '../cli/oka-process.ts';
import { send } from './web-kit.ts';

test('oka start --stay serves the run that it created, and Ctrl-C stops the daemon', async () => {
  const workspace = new Workspace();
  const started = workspace.start('start', '--stay');
  const said = await started.said(/\/open\?code=\S+\s/);
  const [, port, path] = /127\.0\.0\.1:(\d+)(\/open\?code=\S+)/.exec(said) ?? [];
  const opened = await send(Number(port), path as string);
  expect(opened).toMatchObject({
    status: 303,
    headers: { location: expect.stringMatching(/^\/runs\/\w{26}$/) },
  });
  const cookie = opened.headers['set-cookie']?.[0]?.split(';', 1)[0] as string;
  const shown = await send(Number(port), `/v1${opened.headers.location}`, { headers: { cookie } });
  expect(JSON.parse(shown.text)).toMatchObject({ run: { kind: 'graph', status: 'completed' } });
  expect(existsSync(recordOf(workspace.root))).toBe(true);
  started.kill('SIGINT');
  const ended = await started.ended;
  expect(ended.exitCode).toBe(130);
  expect(ended.stdout).toContain('Done:');
  expect(existsSync(recordOf(workspace.root))).toBe(false);
});

test('oka start ends after the job without a terminal, and with --once', async () => {
  const workspace = new Workspace();
  expect(await workspace.oka('start')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('Done:'),
  });
  expect(await workspace.oka('start', '--once', '--stay')).toMatchObject({ exitCode: 0 });
  expect(existsSync(recordOf(workspace.root))).toBe(false);
});
