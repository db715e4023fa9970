import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/kernel/index.ts';

const MARK = '[redacted key]';
const SECRET = 'tK9/x+Qw"3é&<Lm_7Zp-52Rb';

const hex = (text: string): string => Buffer.from(text).toString('hex');
const pairs = (text: string): readonly string[] => hex(text).match(/../g) ?? [];
const points = (text: string): readonly number[] => [...text].map((one) => one.codePointAt(0) as number);
const units = (text: string): readonly string[] =>
  Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0'));
const parts = (text: string, size: number): readonly string[] =>
  text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '/': '&sol;',
  '+': '&plus;',
};

/** Bytes in base32; `=` fills the last group. */
function base32(text: string, alphabet: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = parts(bits, 5).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]);
  return groups.join('').padEnd(Math.ceil(groups.length / 8) * 8, '=');
}
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const quoted = (byte: number): string => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
const quotedPrintable = (text: string, isQuoted = (byte: number, _: number) => byte > 126 || byte === 61) =>
  [...Buffer.from(text)].map((byte, i) => (isQuoted(byte, i) ? quoted(byte) : String.fromCharCode(byte)));

const ENCODINGS: Readonly<Record<string, (secret: string) => string>> = {
  plain: (secret) => secret,
  'in upper case': (secret) => secret.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  'base64 without padding': (secret) => Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  base64url: (secret) => Buffer.from(secret).toString('base64url'),
  'base64 in lines': (secret) => parts(Buffer.from(secret).toString('base64'), 10).join('\n'),
  'base64 in lines that JSON escaped': (secret) =>
    parts(Buffer.from(secret).toString('base64'), 10).join('\\n'),
  'base64 in indented lines with CR LF': (secret) =>
    parts(Buffer.from(secret).toString('base64'), 7).join('\r\n    '),
  base32: (secret) => base32(secret, BASE32),
  'base32 in lower case without padding': (secret) =>
    base32(secret, BASE32).toLowerCase().replaceAll('=', ''),
  'base32 in groups': (secret) => parts(base32(secret, BASE32), 4).join(' '),
  'base32 with the alphabet of hex': (secret) => base32(secret, '0123456789ABCDEFGHIJKLMNOPQRSTUV'),
  'quoted-printable': (secret) => quotedPrintable(secret).join(''),
  'quoted-printable in lines': (secret) =>
    parts(quotedPrintable(secret).join('\0'), 14).join('=\r\n').replaceAll('\0', ''),
  'quoted-printable of everything': (secret) => quotedPrintable(secret, () => true).join(''),
  'quoted-printable of every second byte': (secret) =>
    quotedPrintable(secret, (byte, i) => i % 2 === 0 || byte > 126 || byte === 61).join(''),
  hex,
  'hex in upper case': (secret) => hex(secret).toUpperCase(),
  'hex in mixed case': (secret) =>
    [...hex(secret)].map((one, i) => (i % 2 ? one.toUpperCase() : one)).join(''),
  'hex with colons': (secret) => pairs(secret).join(':'),
  'hex with spaces': (secret) => pairs(secret).join(' '),
  'hex as a dump in lines': (secret) => parts(pairs(secret).join(' '), 24).join('\n'),
  'hex escapes': (secret) =>
    pairs(secret)
      .map((pair) => `\\x${pair}`)
      .join(''),
  'URL escapes': encodeURIComponent,
  'URL escapes of everything': (secret) =>
    pairs(secret)
      .map((pair) => `%${pair}`)
      .join(''),
  'URL escapes of every second byte': (secret) =>
    [...Buffer.from(secret)]
      .map((byte, i) =>
        i % 2 || byte > 127 || byte < 48
          ? `%${byte.toString(16).padStart(2, '0')}`
          : String.fromCharCode(byte),
      )
      .join(''),
  'named HTML escapes': (secret) => [...secret].map((one) => NAMED[one] ?? one).join(''),
  'decimal HTML escapes': (secret) =>
    points(secret)
      .map((point) => `&#${point};`)
      .join(''),
  'decimal HTML escapes with zeros, without semicolons': (secret) =>
    points(secret)
      .map((point) => `&#${String(point).padStart(5, '0')}`)
      .join(''),
  'hex HTML escapes': (secret) =>
    points(secret)
      .map((point) => `&#x${point.toString(16)};`)
      .join(''),
  'hex HTML escapes in upper case': (secret) =>
    points(secret)
      .map((point) => `&#X${point.toString(16).toUpperCase()};`)
      .join(''),
  'JSON escapes': (secret) =>
    units(secret)
      .map((unit) => `\\u${unit}`)
      .join(''),
  'JSON escapes in upper case': (secret) =>
    units(secret)
      .map((unit) => `\\u${unit.toUpperCase()}`)
      .join(''),
  'JSON escapes in a JSON text': (secret) =>
    units(secret)
      .map((unit) => `\\\\u${unit}`)
      .join(''),
  'JSON escapes of every second character': (secret) =>
    units(secret)
      .map((unit, i) => (i % 2 ? `\\u${unit}` : secret[i]))
      .join(''),
  'braced escapes': (secret) =>
    points(secret)
      .map((point) => `\\u{${point.toString(16)}}`)
      .join(''),
  reversed: (secret) => [...secret].reverse().join(''),
  'reversed and spaced': (secret) => [...secret].reverse().join(' '),
  'split by spaces': (secret) => [...secret].join(' '),
  'split by line breaks': (secret) => parts(secret, 3).join('\n'),
  'split by quotes': (secret) => parts(secret, 4).join('""'),
  'split by concatenation': (secret) => parts(secret, 5).join("' + '"),
  'split by commas in a list': (secret) => JSON.stringify(parts(secret, 2)),
  'split by dashes': (secret) => parts(secret, 4).join('-'),
};

function knowing(secret: string) {
  const redactor = createRedactor();
  redactor.addSecret('key', secret);
  return redactor;
}

describe.each(Object.entries(ENCODINGS))('%s', (_, encode) => {
  it('is redacted in a text, in a JSON value and in a stream', () => {
    const redactor = knowing(SECRET);
    const text = `before ${encode(SECRET)} after`;
    expect(redactor.text(text)).toMatch(/^before .{0,3}\[redacted key\].{0,12} after$/s);
    expect(JSON.stringify(redactor.json({ a: [text] }))).toContain(MARK);
    const stream = redactor.redactingStream();
    expect(stream.push(text) + stream.end()).toContain(MARK);
  });
});

describe('base64 of a longer text', () => {
  it.each([0, 1, 2, 3, 4, 5])('is redacted where the secret begins at byte %i', (offset) => {
    for (const after of ['', 'x', 'xy', 'xyz']) {
      const around = Buffer.from(`${'u'.repeat(offset)}${SECRET}${after}`);
      const inner = Buffer.from(SECRET).toString('base64').slice(8, 20);
      for (const encoding of ['base64', 'base64url'] as const) {
        const redacted = knowing(SECRET).text(`a ${parts(around.toString(encoding), 12).join('\n')} b`);
        expect(redacted).toContain(MARK);
        expect(redacted.replaceAll(/\s/g, '')).not.toContain(inner);
      }
    }
  });
});

describe('base32 of a longer text', () => {
  it.each([0, 1, 2, 3, 4, 5])('is redacted where the secret begins at byte %i', (offset) => {
    const encoded = base32(`${'u'.repeat(offset)}${SECRET}xyz`, BASE32);
    expect(knowing(SECRET).text(`a ${parts(encoded, 11).join('\n')} b`)).toContain(MARK);
  });
});

const secrets = fc
  .string({ unit: fc.constantFrom(...'ABCDEFabcdef0123456789_-/+=.'), minLength: 16, maxLength: 48 })
  .filter(
    (value) =>
      value.replaceAll(/[^0-9A-Za-z]/g, '').length >= 14 && /\d/.test(value) && new Set(value).size > 6,
  );

const around = fc
  .string({ unit: fc.constantFrom(...'ab 01=-%&\n'), maxLength: 40 })
  .map((text) => `${text} `);

it('no encoding of a generated secret passes', () => {
  fc.assert(
    fc.property(
      secrets,
      fc.constantFrom(...Object.keys(ENCODINGS)),
      around,
      around,
      (secret, name, before, after) => {
        const encoded = (ENCODINGS[name] as (secret: string) => string)(secret);
        expect(knowing(secret).text(`${before}: ${encoded} ;${after}`)).toContain(MARK);
      },
    ),
    { numRuns: 400 },
  );
});

describe('what only resembles a secret stays', () => {
  const prose =
    'The quick brown fox, 12 of them, jumped over 34 lazy dogs. See https://example.com/a%20b?c=d&amp;e and \\u0041 or "a" + "b".\n'.repeat(
      20,
    );

  it.each(['password', 'testtest', 'secretword', '12345678', 'aaaaaaaaaaaa', 'tK9xQw37Zp52'])(
    'with the secret %s, in ordinary text',
    (secret) => {
      expect(knowing(secret).text(prose)).toBe(prose);
    },
  );

  it('a short secret that consists of words is not found in separate words', () => {
    expect(knowing('passwordtest').text('pass, word and test; a password test')).toBe(
      'pass, word and test; a password test',
    );
  });

  it('text of every script and every sign passes unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(knowing('tK9xQw37Zp52RbLm').text(text)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });
});

it('texts that are made of escapes take one pass', () => {
  const redactor = knowing(SECRET);
  for (const sign of ['\\', '%', '&', '&#', '\\u', '%4', '&#x', '\\ud83d', 'a%', '\\\\n'])
    expect(redactor.text(sign.repeat(200_000)).length).toBe(sign.length * 200_000);
});
