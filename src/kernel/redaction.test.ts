import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from './redaction.ts';

const SECRET = 'p/4ss+w"o\\rd ü€';

function knowing(value: string, name = 'deploy') {
  const redactor = createRedactor();
  redactor.addSecret(name, value);
  return redactor;
}

/** Base64 in both alphabets, with and without padding. */
function base64s(bytes: Buffer): string[] {
  return [bytes.toString('base64'), bytes.toString('base64url')];
}

describe('a redactor', () => {
  it('redacts named secrets everywhere, including keys', () => {
    const redactor = knowing('hunter2hunter2');
    expect(redactor.json({ a: ['x hunter2hunter2 y'], hunter2hunter2: 1 })).toEqual({
      a: ['x [redacted deploy] y'],
      '[redacted deploy]': 1,
    });
  });

  it('ignores secrets that are too short to distinguish from other text', () => {
    expect(knowing('abc').text('abc')).toBe('abc');
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

  it('returns the same object when it redacts nothing', () => {
    const value = { a: [1, 'plain', { b: null }] };
    expect(createRedactor().json(value)).toBe(value);
    expect(knowing(SECRET).json(value)).toBe(value);
  });

  it('stays fast on long hostile text', () => {
    const hostile = `eyJ${'a.'.repeat(200_000)} ://${':'.repeat(100_000)}@`;
    expect(createRedactor().text(hostile).length).toBeGreaterThan(0);
    expect(knowing('aaaaaaaab').text('a'.repeat(200_000))).toBe('a'.repeat(200_000));
  });
});

describe('a known secret', () => {
  it.each([
    ['as it is', SECRET],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(SECRET)).slice(3, -3)],
    ['in JSON of ASCII only', 'p/4ss+w\\"o\\\\rd \\u00fc\\u20ac'],
    ['in JSON with escaped slashes', 'p\\/4ss+w\\"o\\\\rd ü€'],
    ['in a part of a URL', encodeURIComponent(SECRET)],
    ['in a part of a URL, in small digits', encodeURIComponent(SECRET).toLowerCase()],
    ['in a whole URL', encodeURI(SECRET)],
    ['in a form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ['in hex', Buffer.from(SECRET).toString('hex')],
    ['in large hex', Buffer.from(SECRET).toString('hex').toUpperCase()],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64 for URLs', Buffer.from(SECRET).toString('base64url')],
  ])('is found %s', (_how, written) => {
    expect(knowing(SECRET).text(`<${written}>`)).toBe('<[redacted deploy]>');
  });

  it('is found in base64 of a longer text at every offset', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, unit: 'grapheme' }),
        fc.uint8Array({ maxLength: 20 }),
        fc.uint8Array({ maxLength: 20 }),
        (secret, before, after) => {
          const redactor = knowing(secret);
          const bytes = Buffer.from(secret);
          for (const encoded of base64s(Buffer.concat([before, bytes, after]))) {
            const redacted = redactor.text(encoded);
            expect(redacted).toContain('[redacted deploy]');
            const left = redacted.split('[redacted deploy]').join('');
            // The characters at each end may mix bits of the secret and of its neighbour.
            const neighbours = Math.ceil(((before.length + after.length) * 4) / 3);
            expect(left.length).toBeLessThanOrEqual(neighbours + 6);
          }
        },
      ),
    );
  });

  it('is redacted completely where it overlaps another secret', () => {
    const redactor = knowing('abcdefgh', 'first');
    redactor.addSecret('second', 'efghijklmnop');
    expect(redactor.text('-abcdefghijklmnop-')).toBe('-[redacted second]-');
    redactor.addSecret('third', 'abcdefghijkl');
    expect(redactor.text('-abcdefghijkl-abcdefgh-')).toBe('-[redacted third]-[redacted first]-');
  });

  it('stays redacted after its name gets another value', () => {
    const redactor = knowing('the-old-value');
    redactor.addSecret('deploy', 'the-new-value');
    expect(redactor.text('the-old-value the-new-value')).toBe('[redacted deploy] [redacted deploy]');
  });

  it('is found line by line if it has several lines', () => {
    const lines = ['first line of the secret', 'second line of the secret'];
    const redactor = knowing(lines.join('\n'));
    expect(redactor.text(`  ${lines[1]}\r\n  ${lines[0]}\r\n`)).toBe(
      '  [redacted deploy]\r\n  [redacted deploy]\r\n',
    );
    expect(redactor.text(`  ${lines[0]}\r\n  ${lines[1]}\r\n`)).toBe('  [redacted deploy]\r\n');
  });

  it('is found as a number if it has only digits', () => {
    expect(knowing('4929123412341234').json({ card: 4929123412341234, other: 12 })).toEqual({
      card: '[redacted deploy]',
      other: 12,
    });
  });

  it('removes no member if it appears in several keys', () => {
    const redacted = knowing(SECRET).json({ [SECRET]: 1, '[redacted deploy]': 2, [encodeURI(SECRET)]: 3 });
    expect(redacted).toEqual({
      '[redacted deploy] 2': 1,
      '[redacted deploy]': 2,
      '[redacted deploy] 3': 3,
    });
  });

  it('does not change the prototype of an object', () => {
    const value = JSON.parse(`{"__proto__": {"a": ${JSON.stringify(SECRET)}}}`);
    const redacted = knowing(SECRET).json(value);
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
    expect(JSON.stringify(redacted)).toBe('{"__proto__":{"a":"[redacted deploy]"}}');
  });
});

describe('a redacting stream', () => {
  function through(redactor: ReturnType<typeof createRedactor>, pieces: readonly string[]): string {
    const stream = redactor.redactingStream();
    return [...pieces.map((piece) => stream.push(piece)), stream.end()].join('');
  }

  it('redacts the same text for every chunking', () => {
    const secrets = ['hunter2hunter2', 'hunter2hun', 'ter2hunter3', 'ünïcödé-sécrét'];
    const part = fc.oneof(
      fc.constantFrom(...secrets, 'hunter2', 'hun', 'ter2', ' '),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part), fc.infiniteStream(fc.integer({ min: 1, max: 20 })), (parts, sizes) => {
        const redactor = createRedactor();
        for (const secret of secrets) redactor.addSecret('deploy', secret);
        const whole = parts.join('');
        const pieces: string[] = [];
        for (let from = 0; from < whole.length; ) {
          const size = sizes.next().value as number;
          pieces.push(whole.slice(from, from + size));
          from += size;
        }
        expect(through(redactor, pieces)).toBe(redactor.text(whole));
      }),
    );
  });

  it.each([
    `sk-ant-${'a1B2'.repeat(8)}`,
    'Bearer abcdefghijklmnop.qrstuv',
    '-----BEGIN PRIVATE KEY-----\nabc def\n-----END PRIVATE KEY-----',
    'https://user:pa55word@example.org/x',
  ])('recognises the shape of %s when it arrives one character at a time', (text) => {
    const redactor = createRedactor();
    expect(through(redactor, [...`see ${text} there`])).toBe(redactor.text(`see ${text} there`));
    expect(redactor.text(text)).toContain('[redacted');
  });

  it('emits complete words and holds back no more than the longest secret', () => {
    const stream = createRedactor().redactingStream();
    expect(stream.push('one two')).toBe('one ');
    expect(stream.push(' 三四')).toBe('two 三四');
    const careful = knowing('x'.repeat(12)).redactingStream();
    const passed = careful.push(`${'word '.repeat(100)}`);
    expect(500 - passed.length).toBeLessThan('\\\\u0078'.repeat(12).length);
  });
});
