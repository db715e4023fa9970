import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv } from './csv-text.ts';

describe('reading separated values', () => {
  it.each([
    ['a,b\n1,2\n', [['1', '2']]],
    ['a,b\r\n1,2', [['1', '2']]],
    ['\ufeffa,b\n1,2\n', [['1', '2']]],
    ['a,b\n"1,5","say ""hi"""\n', [['1,5', 'say "hi"']]],
    [
      'a,b\n"two\nlines",2\n3,4\n',
      [
        ['two\nlines', '2'],
        ['3', '4'],
      ],
    ],
    ['a,b\n,\n', [['', '']]],
    ['a,b\n1,\n', [['1', '']]],
    ['a,b\n1,', [['1', '']]],
    ['a,b\n\n1,2\n\n', [['1', '2']]],
    ['a,b\n"1"x,2\n', [['"1"x', '2']]],
    [
      'a,b\r\n"x\r\ny",1\n2,3\r4,5',
      [
        ['x\ny', '1'],
        ['2', '3'],
        ['4', '5'],
      ],
    ],
    ['a,b\nit"s,2\n', [['it"s', '2']]],
    ['a\tb\n1,5\t2\n', [['1,5', '2']]],
    ['a|b\n1|2\n', [['1', '2']]],
    [
      'a;b\n1,5;2,5\n3,5;4,5\n',
      [
        ['1,5', '2,5'],
        ['3,5', '4,5'],
      ],
    ],
  ])('reads %j', (text, rows) => {
    const table = readCsv(text);
    expect(table.header).toEqual(['a', 'b']);
    expect(table.rows).toEqual(rows);
    expect(table.problem).toBeUndefined();
  });

  it('names the lines with another number of cells, counting lines inside quotes', () => {
    expect(readCsv('a,b\n"x\ny",1\n1,2,3\n4\n').uneven).toEqual([4, 5]);
  });

  it('reports a quote that is never closed, except where the end is known to be missing', () => {
    expect(readCsv('a,b\n1,"2\n3,4\n').problem).toBe(
      'a quote in the row that begins on line 2 is never closed',
    );
    expect(readCsv('a,b\n1,2\n3,"4', { cut: true })).toMatchObject({ rows: [['1', '2']] });
    expect(readCsv('a,b\n1,2\n3,"4', { cut: true }).problem).toBeUndefined();
  });

  it('reads values written by RFC 4180', () => {
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const cells = fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', ';', ' ') }), {
      minLength: 2,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(cells, { minLength: 1, maxLength: 5 }), (rows) => {
        const text = rows.map((row) => row.map(quoted).join(',')).join('\n');
        const { header, rows: read } = readCsv(text, { separator: ',' });
        expect([header, ...read]).toEqual(rows);
      }),
    );
  });

  it('reads anything without failing, and quickly', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\n', 'a') }), (text) => void readCsv(text)),
    );
    for (const piece of ['"', ',', '\n', '"",']) readCsv(piece.repeat(20_000));
  });
});
