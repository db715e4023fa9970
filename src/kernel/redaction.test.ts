import { describe, expect, it } from 'vitest';
import { createRedactor } from './redaction.ts';

describe('a redactor', () => {
  it('takes out named secrets wherever they appear, keys included', () => {
    const redactor = createRedactor();
    redactor.addSecret('deploy', 'hunter2hunter2');
    expect(redactor.json({ a: ['x hunter2hunter2 y'], hunter2hunter2: 1 })).toEqual({
      a: ['x [redacted deploy] y'],
      '[redacted deploy]': 1,
    });
  });

  it('ignores secrets that are too short to be told from other text', () => {
    const redactor = createRedactor();
    redactor.addSecret('short', 'abc');
    expect(redactor.text('abc')).toBe('abc');
  });

  it.each([
    [`sk-${'ant-'}${'a1B2'.repeat(8)}`, 'api-key'],
    [`ghp_${'a1B2'.repeat(9)}`, 'github-token'],
    ['AKIAABCDEFGHIJKLMNOP', 'aws-key'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', 'private-key'],
    ['Authorization: Bearer abcdefghijklmnop.qrstuv', 'bearer'],
    ['https://user:pa55word@example.org/x', 'url-password'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', 'jwt'],
  ])('recognises %s by its shape', (text, name) => {
    const redacted = createRedactor().text(text);
    expect(redacted).toContain(`[redacted ${name}]`);
  });

  it('returns the very same object when nothing had to be taken out', () => {
    const value = { a: [1, 'plain', { b: null }] };
    expect(createRedactor().json(value)).toBe(value);
  });

  it('stays quick on long hostile text', () => {
    const hostile = `eyJ${'a.'.repeat(200_000)} ://${':'.repeat(100_000)}@`;
    expect(createRedactor().text(hostile).length).toBeGreaterThan(0);
  });
});
