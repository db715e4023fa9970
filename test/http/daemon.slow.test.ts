// A daemon under load: it is told to stop with 100 runs in flight, and 1,000 clients want event streams.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunAnswer, RunListItem } from '../../src/api/index.ts';
import { recordOf } from '../../src/cli/recorded-process.ts';
import { MAX_STREAMS } from '../../src/daemon/http/event-hub.ts';
import { Watched } from '../cli/oka-process.ts';
import { type FakeProviderOptions, fakeProvider } from '../models/fake-provider.ts';
import { DaemonWeb } from './daemon-kit.ts';
import type { Follower } from './web-kit.ts';

const RUNS = 100;

test('SIGTERM with 100 runs in flight: the daemon exits by itself, the next one continues all runs, and streams continue', async () => {
  const options: { -readonly [Key in keyof FakeProviderOptions]: FakeProviderOptions[Key] } = {
    isSilent: true,
  };
  const provider = await fakeProvider(options);
  const daemon = await DaemonWeb.start();
  const model = { provider: 'openai-compatible', model: 'model-1', base_url: provider.url };
  const config = { models: { slow: model }, default_model: 'slow' };
  daemon.workspace.putAtHome('config.json', JSON.stringify(config));
  const stream = await daemon.follow('?after=0');
  const runs = await Promise.all(
    Array.from({ length: RUNS }, async (_, i) => {
      const { status, data } = await daemon.post<RunAnswer>('/v1/runs', { goal: `think about number ${i}` });
      expect(status).toBe(202);
      return data.run.id;
    }),
  );
  while (provider.asked.length < RUNS) await stream.until(() => provider.asked.length >= 1).then(nextTurn);

  const exited = exitOf(daemon.pid);
  process.kill(daemon.pid, 'SIGTERM');
  await stream.ended;
  await exited;
  // It ended by itself: a daemon that is cut off after four seconds leaves its record, and runs that it still owns.
  expect(existsSync(recordOf(daemon.workspace.root))).toBe(false);
  const { data } = await daemon.workspace.answer<{ runs: RunListItem[] }>('runs', 'list', '--limit', '200');
  expect(data.runs.map(({ id }) => id).sort()).toEqual([...runs].sort());
  expect(new Set(data.runs.map(({ status }) => status))).toEqual(new Set(['pending']));

  options.isSilent = false;
  await daemon.up();
  const again = await daemon.follow('', { 'last-event-id': String(stream.lastId) });
  // Maintenance of the daemon completes runs of its own.
  const completed = () =>
    again.events.filter(
      ({ data: event }) => event['type'] === 'run.completed' && runs.includes(String(event['run'])),
    ).length;
  await again.until(() => completed() === RUNS);
  await daemon.workspace.answer('down');
  await again.ended;
  const all = await daemon.workspace.verified();
  expect([...stream.positions, ...again.positions]).toEqual(Array.from({ length: all }, (_, i) => i + 1));
});

test('1,000 clients want event streams: those within the limit are served, and the daemon answers commands', async () => {
  const daemon = await DaemonWeb.start();
  const streams: Follower[] = [];
  let refused = 0;
  for (let i = 0; i < 1_000; i += 50) {
    const opened = await Promise.all(Array.from({ length: 50 }, () => daemon.follow('')));
    for (const stream of opened) {
      if (stream.response.statusCode === 200) streams.push(stream);
      else refused += 1;
    }
  }
  expect({ served: streams.length, refused }).toEqual({ served: MAX_STREAMS, refused: 1_000 - MAX_STREAMS });
  const { data } = await daemon.post<RunAnswer>('/v1/runs', { goal: 'read README.md' });
  for (const stream of streams) {
    const isDone = () => stream.events.some(({ data: event }) => event['type'] === 'run.completed');
    await stream.until(isDone);
  }
  expect(await daemon.workspace.answer('runs', 'show', data.run.id)).toMatchObject({ exitCode: 0 });
  expect((await daemon.workspace.answer('down')).data).toMatchObject({ stopped: true });
  for (const stream of streams) await stream.ended;
});

/** Resolves when a process that is no child of the test is gone. */
async function exitOf(pid: number): Promise<void> {
  const script = 'while kill -0 "$0" 2>/dev/null; do sleep 0.05; done';
  await new Watched(['sh', '-c', script, String(pid)], { cwd: '/', env: { PATH: process.env['PATH'] } })
    .ended;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
