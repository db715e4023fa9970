import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { digestOf, digestOfJson, isDigest, startDigest } from './digest.ts';
import { isOkaError, OkaError, toFailure } from './errors.ts';
import { sortableIds, systemRandom } from './system-ports.ts';

describe('sortableIds', () => {
  it('sort in creation order, within a millisecond and across milliseconds', () => {
    const clock = new ManualClock();
    const ids = sortableIds(clock, seededRandom(7));
    const made: string[] = [];
    for (let i = 0; i < 2_000; i++) {
      made.push(ids.next());
      if (i % 3 === 0) clock.advance(1);
    }
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
  });
});

describe('systemRandom', () => {
  it('returns hex of the requested length and numbers below one', () => {
    expect(systemRandom.hex(16)).toMatch(/^[0-9a-f]{32}$/);
    expect(systemRandom.hex(5_000)).toHaveLength(10_000);
    for (let i = 0; i < 1_000; i++) expect(systemRandom.next()).toBeLessThan(1);
  });
});

describe('digests', () => {
  it('are SHA-256 in hex, the same for text, bytes and chunks', () => {
    expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const chunks = startDigest();
    chunks.update(Buffer.from('a'));
    chunks.update(Buffer.from('bc'));
    expect(chunks.end()).toBe(digestOf(Buffer.from('abc')));
    expect(digestOfJson({ b: 1, a: 2 })).toBe(digestOf('{"a":2,"b":1}'));
    expect(isDigest(digestOf(''))).toBe(true);
    expect(isDigest('abc')).toBe(false);
  });
});

describe('errors', () => {
  it('become failures with their own code, other values with the fallback code', () => {
    const error = new OkaError('files.not_found', 'gone', { data: { path: 'a' }, transient: true });
    expect(toFailure(error, 'x.y')).toEqual({
      code: 'files.not_found',
      message: 'gone',
      data: { path: 'a' },
      transient: true,
    });
    expect(toFailure('odd', 'x.y')).toEqual({ code: 'x.y', message: 'odd' });
    expect(isOkaError(error, 'files.not_found')).toBe(true);
    expect(isOkaError(new Error('no'))).toBe(false);
    expect(JSON.stringify(error)).toBe('{"code":"files.not_found","message":"gone","data":{"path":"a"}}');
  });
});
