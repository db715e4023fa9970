import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalForm, canonicalJson, type Json, sameJson } from './canonical-json.ts';

describe('canonicalJson', () => {
  it('writes the example of RFC 8785', () => {
    const value = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts keys by UTF-16 code units, integer-like ones too', () => {
    expect(
      canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, ö: 7 }),
    ).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
    expect(canonicalJson({ 9: 1, 10: 2, b: { 2: [], 11: {} } })).toBe('{"10":2,"9":1,"b":{"11":{},"2":[]}}');
  });

  it('leaves out undefined members and writes minus zero as zero', () => {
    expect(canonicalJson({ b: undefined, a: -0 })).toBe('{"a":0}');
  });

  it('keeps a member named __proto__ as data', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1},"b":1}');
  });

  it.each([
    ['NaN', Number.NaN],
    ['infinity', { a: Number.POSITIVE_INFINITY }],
    ['a function', [() => 1]],
    ['a lone surrogate', { a: '\ud800' }],
    ['a lone surrogate as key', { '\udc00': 1 }],
    ['a class instance', { a: new Map() }],
    ['bigint', 1n],
    ['undefined in an array', [undefined]],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrowError(
      expect.objectContaining({ code: 'kernel.not_canonical' }),
    );
  });

  it('refuses a cycle', () => {
    const loop: { self?: unknown } = {};
    loop.self = loop;
    expect(() => canonicalJson(loop)).toThrowError(expect.objectContaining({ code: 'kernel.not_canonical' }));
  });

  it('agrees with another implementation and survives a round trip', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = canonicalJson(value);
        expect(text).toBe(canonicalize(JSON.parse(JSON.stringify(value))));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it('does not depend on the order of the keys', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: 'binary', maxLength: 6 }).filter((key) => key.isWellFormed()),
          fc.integer(),
          { maxKeys: 60, size: 'large' },
        ),
        (value) => {
          const reversed = Object.fromEntries(Object.entries(value).reverse());
          expect(canonicalJson(reversed)).toBe(canonicalJson(value));
          expect(canonicalJson(value)).toBe(canonicalize(value));
        },
      ),
    );
  });
});

describe('sameJson', () => {
  it('agrees with a comparison of canonical texts', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (a, b) => {
        expect(sameJson(a as Json, b as Json)).toBe(canonicalJson(a) === canonicalJson(b));
        expect(sameJson(a as Json, JSON.parse(JSON.stringify(a)))).toBe(true);
      }),
    );
  });
});

describe('canonicalForm', () => {
  const asText = (value: unknown): string => JSON.stringify(value);

  it('returns the canonical text and the parsed value, with keys in the same order', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const form = canonicalForm(value);
        expect(form.text).toBe(canonicalJson(value));
        expect(asText(form.value)).toBe(asText(JSON.parse(form.text)));
      }),
    );
  });

  it.each<[string, unknown]>([
    ['minus zero', [-0, { a: -0 }]],
    ['members without a value', { b: 1, a: undefined }],
    ['a member named __proto__', JSON.parse('{"b":1,"__proto__":{"a":1}}')],
    ['an object with toJSON', { at: new Date(0) }],
    ['an object without a prototype', Object.assign(Object.create(null), { b: 1, a: 2 })],
  ])('returns the canonical text and its parsed value for %s', (_, value) => {
    const text = canonicalJson(value);
    expect(canonicalForm(value)).toStrictEqual({ text, value: JSON.parse(text) });
  });

  it('returns a frozen copy that does not change with its source', () => {
    const items = [{ name: 'a' }];
    const copy = canonicalForm({ items }).value as { items: { name: string }[] };
    items[0] = { name: 'b' };
    expect(copy.items[0]?.name).toBe('a');
    expect(() => copy.items.push({ name: 'c' })).toThrow(TypeError);
    expect(Object.isFrozen(copy.items[0])).toBe(true);
  });

  it.each<[string, () => unknown]>([
    [
      'a cycle',
      () => {
        const loop: { self?: unknown } = {};
        loop.self = loop;
        return loop;
      },
    ],
    ['infinity', () => ({ a: [Number.POSITIVE_INFINITY] })],
    ['a function', () => ({ a: () => 1 })],
    ['a lone surrogate', () => ['\ud800']],
    ['undefined in an array', () => [undefined]],
    ['a class instance', () => ({ a: new Map() })],
  ])('refuses %s', (_, make) => {
    expect(() => canonicalForm(make())).toThrowError(
      expect.objectContaining({ code: 'kernel.not_canonical' }),
    );
  });
});
