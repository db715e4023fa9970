import { expect, it } from 'vitest';
import { isProven, proofFor, runTarget, splitKey } from './names.ts';

const target = runTarget('shop', 'run-1');

it('accepts a proof only for its token and its target', () => {
  const proof = proofFor('secret', target);
  expect(isProven('secret', target, proof)).toBe(true);
  expect(isProven('other', target, proof)).toBe(false);
  expect(isProven('secret', runTarget('shop', 'run-2'), proof)).toBe(false);
  expect(isProven('secret', runTarget('office', 'run-1'), proof)).toBe(false);
  expect(isProven('secret', target, undefined)).toBe(false);
  expect(proof).not.toContain('secret');
});

it('lets every caller use a project that has no token', () => {
  expect(isProven(undefined, target, undefined)).toBe(true);
});

it('reads the project from a key, whatever the rest contains', () => {
  expect(splitKey('shop/ann/room/1')).toEqual({ project: 'shop', rest: 'ann/room/1' });
  expect(splitKey('shop')).toEqual({ project: 'shop', rest: '' });
});
