import { expect, test } from 'vitest';
import { Watched } from './oka-process.ts';

/** A process that prints each line of its standard input. */
function printer(): Watched {
  return new Watched(['cat'], { cwd: '/', env: { PATH: process.env['PATH'] } });
}

test('a wait sees output that arrives while it looks', async () => {
  const watched = printer();
  let looks = 0;
  const seen = watched.until(
    () => {
      looks += 1;
      // The output arrives after the first look and before the caller could subscribe.
      if (looks === 1) watched.child.stdout?.emit('data', 'late');
      return looks > 1 && watched.heard === 'late' ? 'seen' : undefined;
    },
    () => 'not seen',
  );
  expect(await seen).toBe('seen');
});

test('a wait fails at its limit and when the process ends, and shows the output', async () => {
  const watched = printer();
  watched.child.stdin?.write('ready\n');
  await watched.said('ready', 'stdout');
  const wait = (): Promise<undefined> =>
    watched.until(
      () => undefined,
      () => `heard ${watched.heard}`,
      1,
    );
  await expect(wait()).rejects.toThrow('Nothing after 1 ms. heard ready');
  watched.child.stdin?.end();
  await expect(watched.said('more', 'stdout')).rejects.toThrow(
    /^The process ended\. No "more" on stdout: ready/,
  );
});
