import { describe, expect, it } from 'vitest';
import { findColumn, findColumns } from './columns.ts';
import { cellText, readTableOf, type Table } from './table.ts';
import { writeTable } from './write-table.ts';

function tableOf(file: string, content: string): Table {
  const read = readTableOf(file, content);
  if ('problem' in read) throw new Error(read.problem);
  return read.table;
}

const texts = ({ rows }: Table): string[][] => rows.map((row) => row.map(cellText));

describe('reading a table', () => {
  it.each([
    ['a.csv', '\ufeffname,note\r\nAnn,"x, y"\r\n"B ""C""","two\nlines"\r\n'],
    ['a.csv', 'name;note\nAnn;"x, y"\n"B ""C""";"two\nlines"\n'],
    ['a.tsv', 'name\tnote\nAnn\tx, y\n"B ""C"""\t"two\nlines"\n'],
    ['a.json', '[{"name":"Ann","note":"x, y"},{"name":"B \\"C\\"","note":"two\\nlines"}]'],
    ['a.jsonl', '{"name":"Ann","note":"x, y"}\n\n{"name":"B \\"C\\"","note":"two\\nlines"}\n'],
    ['a.md', '# T\n\n| name | note |\n|---|---|\n| Ann | x, y |\n| B "C" | two<br>lines |\n'],
  ])('gives the same cells for %s', (file, content) => {
    const table = tableOf(file, content);
    expect(table.columns).toEqual(['name', 'note']);
    expect(texts(table)).toEqual([
      ['Ann', 'x, y'],
      ['B "C"', 'two\nlines'],
    ]);
  });

  it('reports uneven rows and loses no cell', () => {
    const table = tableOf('a.csv', 'a,b\n1,2\n3\n4,5,6\n');
    expect(table.columns).toEqual(['a', 'b', 'column 3']);
    expect(texts(table)).toEqual([
      ['1', '2', ''],
      ['3', '', ''],
      ['4', '5', '6'],
    ]);
    expect(table.problems).toEqual([expect.stringContaining('2 rows with another number of cells')]);
  });

  it('says why a file has no table', () => {
    expect(readTableOf('a.csv', '')).toEqual({ problem: 'it is empty' });
    expect(readTableOf('a.json', '{"a":1}')).toEqual({ problem: 'it is JSON, but not a list of objects' });
    expect(readTableOf('a.jsonl', '{"a":1}\nx\n')).toMatchObject({
      problem: expect.stringMatching(/^line 2 is not/),
    });
    expect(readTableOf('a.md', '# nothing\n')).toEqual({ problem: 'it has no table' });
    expect(readTableOf('a.json', '[{"id":12345678901234567890}]')).toMatchObject({
      problem: expect.stringContaining('would lose digits'),
    });
  });
});

describe('writing a table', () => {
  it.each(['csv', 'tsv', 'json', 'jsonl', 'md'] as const)(
    'as %s gives the same cells when it is read again',
    (format) => {
      const table = tableOf('a.csv', 'name,note,n\nAnn,"a|b, ""c""\nd",007\n*Bo*,,12\n');
      const back = tableOf(`b.${format}`, writeTable(table, format));
      expect(back.columns).toEqual(table.columns);
      expect(texts(back)).toEqual(texts(table));
    },
  );

  it('writes numbers of JSON only where every cell is one', () => {
    const table = tableOf('a.csv', 'zip,n,ok\n007,1,true\n12,,false\n');
    expect(JSON.parse(writeTable(table, 'json'))).toEqual([
      { zip: '007', n: 1, ok: true },
      { zip: '12', n: null, ok: false },
    ]);
  });
});

describe('the name of a column', () => {
  const columns = ['Unit Price', 'customer_id', 'city', 'City Code'];

  it('may be written in any case, with spaces, in the plural and with "column"', () => {
    for (const [said, column] of [
      ['unit price', 0],
      ['the unit price column', 0],
      ['customer id', 1],
      ['cities', 2],
      ['CITY', 2],
    ] as const)
      expect(findColumn(columns, said), said).toEqual({ column });
    expect(findColumns(columns, 'city, unit price and customer id')).toEqual({ columns: [2, 0, 1] });
  });

  it('is never guessed: a typo gives the columns', () => {
    expect(findColumn(columns, 'unit prise')).toEqual({
      problem:
        'it has no column "unit prise". Did you mean "Unit Price"? Its columns are "Unit Price", "customer_id", "city", "City Code"',
    });
    expect(findColumn(['a', 'A'], 'the a')).toMatchObject({ problem: expect.stringContaining('may mean') });
  });
});
