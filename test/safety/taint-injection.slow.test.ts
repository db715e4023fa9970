// Every injected string through a page and a file; the normal run takes a sample.
import { expect, it } from 'vitest';
import { attackByPage, STRINGS } from './injection-attacks.ts';
import { TaintWorld } from './taint-kit.ts';

it.each(STRINGS)('has no effect without approval: %s', { timeout: 120_000 }, async (text) => {
  const world = await TaintWorld.open();
  await attackByPage(world, text);
  expect(world.leaked).toEqual([]);
});
