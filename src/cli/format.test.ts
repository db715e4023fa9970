import { expect, test } from 'vitest';
import { table } from './format.ts';

const HEAD = ['tool', 'does', 'description'];
const ROWS = [
  ['files.read', 'reads', 'Reads a text file of the workspace and gives its content.'],
  ['http.fetch', 'changes outside', 'Makes a request.'],
];

test('a table that fits is not cut', () => {
  expect(table(HEAD, ROWS, 200)).toBe(
    [
      'tool        does             description',
      'files.read  reads            Reads a text file of the workspace and gives its content.',
      'http.fetch  changes outside  Makes a request.',
    ].join('\n'),
  );
});

test('a table on a narrow terminal cuts its widest text column and never an id', () => {
  const lines = table(HEAD, ROWS, 60).split('\n');
  expect(lines[1]).toBe('files.read  reads            Reads a text file of the works…');
  expect(Math.max(...lines.map((line) => line.length))).toBe(60);
  const ids = table(['run', 'goal'], [['01m7ftzay97bzybpvs6fbdzjbq', 'water the beds in the garden']], 10);
  expect(ids.split('\n')[1]).toBe('01m7ftzay97bzybpvs6fbdzjbq  water the beds in …');
});

test('a table lines up columns with wide characters', () => {
  const rows = [
    ['日本語', 'a'],
    ['abc', 'b'],
  ];
  expect(table(['name', 'x'], rows, 200)).toBe('name    x\n日本語  a\nabc     b');
  expect(table(['name', 'x'], [['日本語 日本語 日本語 日本語', 'a']], 22).split('\n')[1]).toBe(
    '日本語 日本語 日本…  a',
  );
});
