import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Printer } from './printer.ts';
import { Spinner, showElapsed } from './spinner.ts';
import { toTerminal } from './terminal-text.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function printed(isLive = true) {
  const written: string[] = [];
  const output = { columns: 60, write: (text: string) => written.push(text) };
  const colors = { cyan: (text: string) => text, dim: (text: string) => text };
  const printer = { isLive, output, colors, useLiveLine: () => undefined };
  return { written, printer: printer as unknown as Printer };
}

test('the line shows the text, the elapsed time and the detail, and stop removes it', () => {
  const { written, printer } = printed();
  let now = 0;
  const spinner = new Spinner(printer, () => now);
  spinner.show({ text: 'waiting for gpt-5-mini', detail: '$0.06 of $0.50' });
  expect(written).toEqual([]);
  now = 3_100;
  vi.advanceTimersByTime(100);
  expect(stripVTControlCharacters(written.join(''))).toMatch(
    /^ {2}\S waiting for gpt-5-mini… 3 s {3}\$0\.06 of \$0\.50$/,
  );
  spinner.stop();
  expect(toTerminal(written.at(-1) ?? '')).toBe('\u001b[G\u001b[2K');
  const { length } = written;
  vi.advanceTimersByTime(1_000);
  expect(written).toHaveLength(length);
});

test('the elapsed time starts again when the text changes', () => {
  const { written, printer } = printed();
  let now = 0;
  const spinner = new Spinner(printer, () => now);
  spinner.show({ text: 'a' });
  now = 9_000;
  spinner.show({ text: 'a', detail: 'x' });
  vi.advanceTimersByTime(100);
  expect(written.at(-1)).toContain('a… 9 s');
  spinner.show({ text: 'b' });
  vi.advanceTimersByTime(100);
  expect(written.at(-1)).toMatch(/b…$/);
  spinner.stop();
});

test('nothing is drawn where lines cannot be redrawn', () => {
  const { written, printer } = printed(false);
  const spinner = new Spinner(printer);
  spinner.show({ text: 'waiting' });
  vi.advanceTimersByTime(1_000);
  spinner.stop();
  expect(written).toEqual([]);
});

test.each([
  [3, '3 s'],
  [60, '1 min'],
  [72, '1 min 12 s'],
])('%d seconds are %j', (seconds, shown) => {
  expect(showElapsed(seconds)).toBe(shown);
});
