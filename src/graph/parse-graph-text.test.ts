import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGraphText, scanJson } from './parse-graph-text.ts';

describe('parseGraphText', () => {
  it('gives the definition as written', () => {
    expect(parseGraphText('\uFEFF {"id": "a", "nodes": [1.5e3, true, null, "\\u00e4"]}\n')).toEqual({
      definition: { id: 'a', nodes: [1500, true, null, 'ä'] },
      diagnostics: [],
    });
  });

  it.each([
    ['{\n  "id": "a",\n  nodes: []\n}', 3, 3, 'a key in double quotes'],
    ['{"a": 1,}', 1, 9, 'a key in double quotes'],
    ['[1 2]', 1, 4, '"," or "]"'],
    ['{"a" 1}', 1, 6, '":"'],
    ['{"a": tru}', 1, 7, 'a value'],
    ['[01]', 1, 2, 'a value'],
    ['["a\nb"]', 1, 2, 'a value'],
    ['{} x', 1, 4, 'the end'],
    ['[1,\n', 2, 1, 'the end of the text'],
    ['', 1, 1, 'the end of the text'],
  ])('reports the position of the syntax error in %j', (text, line, column, message) => {
    const { definition, diagnostics } = parseGraphText(text);
    expect(definition).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { code: 'graph.not_json', path: '$', line, column, severity: 'error' },
    ]);
    expect(diagnostics[0]?.message).toContain(message);
  });

  it('finds every duplicate key, in any spelling', () => {
    const { diagnostics } = parseGraphText('{"a": {"x": 1, "\\u0078": 2}, "b": [{"y": 1, "y": 2}], "a": 3}');
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['graph.duplicate_key', '$.a.x'],
      ['graph.duplicate_key', '$.b[0].y'],
      ['graph.duplicate_key', '$.a'],
    ]);
  });

  it.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__'])('refuses the key %s', (key) => {
    const { definition, diagnostics } = parseGraphText(`[0, {"a": {"${key}": 1}}]`);
    expect(definition).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['graph.refused_key']);
    expect(diagnostics[0]?.path).toMatch(/^\$\[1\]\.a\./);
  });

  it('reads deep nesting and long texts', () => {
    expect(parseGraphText('['.repeat(1_000_000)).diagnostics).toMatchObject([{ column: 502 }]);
    expect(parseGraphText(`"${'x'.repeat(2_000_000)}`).diagnostics).toHaveLength(1);
  });
});

describe('scanJson', () => {
  const accepts = (text: string): boolean => scanJson(text).every(({ kind }) => kind !== 'syntax');
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  it('accepts exactly the texts that JSON.parse accepts', () => {
    const pieces = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"',
        '"a"',
        '"\\n"',
        '"\\x"',
        '1',
        '-0',
        '1.',
        '1e5',
        '01',
        '-',
        'true',
        'nul',
      ],
      ...[
        ' ',
        '\n',
        '\t',
        '\u00a0',
        '\\',
        '"\\u12"',
        '"\\u1234"',
        'null',
        '{"a":1}',
        '[1,2]',
        '"a":',
        '\u0001',
      ],
    );
    const soup = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(soup, (text) => {
        expect(accepts(text)).toBe(parses(text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('agrees with JSON.parse about valid JSON and about JSON with one changed character', () => {
    const edits = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', '{', ']', '0', 'x', '\\'));
    fc.assert(
      fc.property(edits, ([json, place, letter]) => {
        expect(accepts(json)).toBe(true);
        const at = place % (json.length + 1);
        const changed = json.slice(0, at) + letter + json.slice(at + 1);
        expect(accepts(changed)).toBe(parses(changed));
      }),
      { numRuns: 2_000 },
    );
  });
});
