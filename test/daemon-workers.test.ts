import { expect, test } from 'vitest';
import type { WorkerOutcome } from '../src/api/index.ts';
import { BackgroundWorkers } from '../src/daemon/background-workers.ts';
import { Warnings } from '../src/daemon/warnings.ts';
import { WorkerHealth } from '../src/daemon/worker-health.ts';
import { OkaError } from '../src/kernel/index.ts';
import { ManualClock, settle } from './support/manual-clock.ts';

/** Workers on a clock of the test's own, with what they log. */
function prepare(hide: (text: string) => string = (text) => text) {
  const clock = new ManualClock();
  const logged: string[] = [];
  const workers = new BackgroundWorkers({
    clock,
    hide,
    log: (level, what) => logged.push(`${level} ${what}`),
  });
  return { clock, logged, workers };
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => void signal.addEventListener('abort', () => resolve()));

test('a worker that reports failures is shown with each of them until it succeeds', async () => {
  const { clock, logged, workers } = prepare();
  let report: (outcome: WorkerOutcome) => void = () => undefined;
  const run = (signal: AbortSignal, onOutcome: typeof report): Promise<void> => {
    report = onOutcome;
    return untilAborted(signal);
  };
  workers.start([{ name: 'replication', run }]);
  const since = clock.now();
  const failure = { ok: false, task: 'ship', code: 'replication.unreachable', message: 'no answer' } as const;
  report({ ...failure, nextTryAt: since + 5 });
  clock.advance(5);
  report({ ...failure, nextTryAt: since + 15 });
  report({ ok: true, task: 'other' });
  const error = { code: 'replication.unreachable', message: 'no answer', since, at: since + 5, count: 2 };
  expect(workers.status).toEqual([
    {
      name: 'replication',
      status: 'failing',
      lastError: error,
      lastSuccessAt: since + 5,
      nextTryAt: since + 15,
    },
  ]);
  clock.advance(10);
  report({ ok: true, task: 'ship' });
  expect(workers.status).toEqual([
    {
      name: 'replication',
      status: 'working',
      lastError: { ...error, recoveredAt: since + 15 },
      lastSuccessAt: since + 15,
    },
  ]);
  expect(logged).toEqual(['warning replication: no answer', 'info replication: works again']);
  await workers.stop();
});

test('a worker that ends with an error counts as failing until it reports success after its restart', async () => {
  const { clock, workers } = prepare((text) => text.replace('secret', '•'));
  let starts = 0;
  const run = async (signal: AbortSignal, report: (outcome: WorkerOutcome) => void): Promise<void> => {
    starts += 1;
    if (starts < 3) throw new OkaError('ledger.busy', `the secret start ${starts} failed`);
    report({ ok: true, task: 'tick' });
    await untilAborted(signal);
  };
  workers.start([{ name: 'schedules', run }]);
  await settle();
  const since = clock.now();
  expect(workers.status).toMatchObject([
    { status: 'failing', lastError: { code: 'ledger.busy', count: 1 }, nextTryAt: since + 1_000 },
  ]);
  clock.advanceToNext();
  await settle();
  expect(workers.status).toMatchObject([
    { status: 'failing', lastError: { message: 'the • start 2 failed', since, count: 2 } },
  ]);
  clock.advanceToNext();
  await settle();
  expect(workers.status).toMatchObject([{ status: 'working', lastError: { recoveredAt: clock.now() } }]);
  await workers.stop();
  expect(workers.status).toMatchObject([{ status: 'stopped' }]);
});

test('warnings are counted, without secrets, and the oldest are dropped first', () => {
  const clock = new ManualClock();
  const warnings = new Warnings({ clock, hide: (text) => text.replace('secret', '•') });
  const since = clock.now();
  warnings.add({ code: 'a', message: 'a secret thread is missing' });
  clock.advance(7);
  warnings.add({ code: 'a', message: 'a secret thread is missing' });
  expect(warnings.list).toEqual([{ message: 'a • thread is missing', since, at: since + 7, count: 2 }]);
  for (let i = 0; i < 20; i++) warnings.add({ code: 'a', message: `warning ${i}` });
  expect(warnings.list.map(({ message }) => message)).toEqual(
    Array.from({ length: 20 }, (_, i) => `warning ${i}`),
  );
});

test('what was told about a topic is gone when it is over, and failures with its code have recovered', () => {
  const clock = new ManualClock();
  const warnings = new Warnings({ clock, hide: (text) => text });
  const topic = 'ledger.unavailable';
  warnings.add({ code: topic, topic, message: 'the server is away' });
  warnings.add({ code: 'a', message: 'a thread is missing' });
  warnings.add({ code: topic, topic, message: 'the server answers', isOver: true });
  expect(warnings.list).toMatchObject([{ message: 'a thread is missing' }]);
  const health = new WorkerHealth();
  health.record({ ok: false, task: 'run 1', code: topic, message: 'the server is away' }, 1);
  expect(health.view().isFailing).toBe(true);
  health.recover(topic, 2);
  expect(health.view()).toMatchObject({ isFailing: false, lastError: { recoveredAt: 2 } });
});
