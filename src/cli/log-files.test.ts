import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { FollowedFile, followLogs, readLogs } from './log-files.ts';

function workspaceWithLogs() {
  const workspace = mkdtempSync(join(tmpdir(), 'oka-logs-'));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const folder = join(workspace, '.oka', 'run');
  mkdirSync(folder, { recursive: true });
  const file = (name: string): string => join(folder, name);
  const log = (name: string, minute: number, what: string): void =>
    appendFileSync(
      file(name),
      `${JSON.stringify({ at: `2026-01-31T10:0${minute}:00.000Z`, level: 'info', what })}\n`,
    );
  return { workspace, file, log };
}

test('entries of all processes are in the order of their times, with rotated ones first', () => {
  const { workspace, file, log } = workspaceWithLogs();
  log('daemon.log.old', 1, 'first');
  log('daemon.log', 4, 'fourth');
  log('agent-ada.log', 2, 'second');
  appendFileSync(file('agent-ada.log'), 'Error: third\n');
  const found = readLogs(workspace).map(({ from, what }) => `${from} ${what}`);
  expect(found).toEqual(['daemon first', 'agent-ada second', 'agent-ada Error: third', 'daemon fourth']);
});

test('lines for log collectors are entries too', () => {
  const { workspace, file, log } = workspaceWithLogs();
  log('daemon.log', 1, 'first');
  const time = '2026-01-31T10:02:00.000Z';
  const about = { run: 'r1', trace_id: 't1', span_id: 's1', fields: { status: 'completed' } };
  appendFileSync(
    file('daemon.log'),
    `${JSON.stringify({ time, level: 'info', message: 'run ended', ...about })}\n`,
  );
  expect(readLogs(workspace)[1]).toEqual({
    from: 'daemon',
    at: time,
    level: 'info',
    what: 'run ended',
    more: { run: 'r1', trace_id: 't1', span_id: 's1', status: 'completed' },
  });
});

test('a workspace without logs, and a log that is a link, have no entries', () => {
  const { workspace, file, log } = workspaceWithLogs();
  expect(readLogs(workspace)).toEqual([]);
  expect(readLogs(join(workspace, 'none'))).toEqual([]);
  log('secret', 1, 'of somebody else');
  symlinkSync(file('secret'), file('daemon.log'));
  expect(readLogs(workspace)).toEqual([]);
});

test('a followed file continues after a rotation without losing a line', () => {
  const { file, log } = workspaceWithLogs();
  const path = file('daemon.log');
  log('daemon.log', 1, 'before');
  const followed = FollowedFile.atEnd(path);
  log('daemon.log', 2, 'seen');
  expect(followed.newLines()).toHaveLength(1);
  log('daemon.log', 3, 'rotated before it was read');
  copyFileSync(path, `${path}.old`);
  truncateSync(path);
  log('daemon.log', 4, 'in the new file');
  expect(followed.newLines().map((line) => JSON.parse(line).what)).toEqual([
    'rotated before it was read',
    'in the new file',
  ]);
});

test('half a line waits for its other half', () => {
  const { file } = workspaceWithLogs();
  const followed = new FollowedFile(file('daemon.log'));
  appendFileSync(file('daemon.log'), 'one ');
  expect(followed.newLines()).toEqual([]);
  appendFileSync(file('daemon.log'), 'line\n');
  expect(followed.newLines()).toEqual(['one line']);
});

test('following yields new entries only, also of a process that starts later', async () => {
  const { workspace, log } = workspaceWithLogs();
  log('daemon.log', 1, 'old');
  const stop = new AbortController();
  const entries = followLogs(workspace, stop.signal);
  const first = entries.next();
  log('agent-ada.log', 2, 'new');
  expect((await first).value).toMatchObject({ from: 'agent-ada', what: 'new' });
  const end = entries.next();
  stop.abort();
  expect(await end).toEqual({ done: true, value: undefined });
});
