import { afterEach, expect, test, vi } from 'vitest';
import { Printer } from './printer.ts';
import { ProgressBar, showProgress } from './progress-bar.ts';
import { toTerminal } from './terminal-text.ts';

const start = { elapsedMs: 0, startedWith: 0 };

test('shows count, rate and remaining time', () => {
  const shown = showProgress(
    { what: 'importing', done: 12_300, total: 40_000 },
    { elapsedMs: 5_857, startedWith: 0 },
  );
  expect(shown).toBe('importing ██████░░░░░░░░░░░░░░ 12,300 of 40,000 · 2,100/s · 14 s left');
});

test('shows count and rate only while the total is unknown', () => {
  const shown = showProgress({ what: 'scanning', done: 900 }, { elapsedMs: 3_000, startedWith: 0 });
  expect(shown).toBe('scanning 900 · 300/s');
});

test('shows no rate in the first second, and the elapsed time before anything is counted', () => {
  expect(showProgress({ what: 'scanning', done: 900 }, start)).toBe('scanning 900');
  expect(showProgress({ what: 'scanning', done: 0 }, { ...start, elapsedMs: 4_200 })).toBe('scanning… 4 s');
});

test('shows bytes with their unit', () => {
  const shown = showProgress({ what: 'writing', done: 1_048_576, total: 2_097_152, unit: 'bytes' }, start);
  expect(shown).toMatch(/1\.0 MB of 2\.0 MB$/);
});

/** A bar on a printer that writes into a list. */
function barOn(isLive: boolean) {
  const written: string[] = [];
  const printer = Object.create(new Printer({ json: false, quiet: false })) as Printer;
  Object.defineProperties(printer, {
    isLive: { value: isLive },
    output: { value: { columns: 80, write: (text: string) => written.push(toTerminal(text)) } },
    useLiveLine: { value: () => undefined },
  });
  const clock = { now: 0 };
  return { bar: new ProgressBar(printer, () => clock.now), written, clock };
}

afterEach(() => {
  vi.useRealTimers();
});

test('draws at most one line per frame, and removes it at the end', () => {
  vi.useFakeTimers();
  const { bar, written, clock } = barOn(true);
  for (clock.now = 0; clock.now < 250; clock.now += 10)
    bar.show({ what: 'importing', done: clock.now, total: 250 });
  expect(written).toHaveLength(3);
  bar.end();
  expect(written.at(-1)).toBe('\u001b[G\u001b[2K');
});

test('keeps the elapsed time going while nothing is reported', () => {
  vi.useFakeTimers();
  const { bar, written, clock } = barOn(true);
  bar.show({ what: 'verifying', done: 0 });
  clock.now = 2_000;
  vi.advanceTimersByTime(100);
  expect(written.at(-1)).toContain('verifying… 2 s');
  bar.end();
});

test('writes nothing with --json, --quiet or without a terminal', () => {
  const { bar, written } = barOn(false);
  bar.show({ what: 'importing', done: 1 });
  bar.end();
  expect(written).toEqual([]);
});
