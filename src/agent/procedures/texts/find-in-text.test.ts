import { expect, it } from 'vitest';
import { findInText, headingsOf } from './find-in-text.ts';
import { findValues, indentJson, problemInJson } from './json-text.ts';

const values = (kind: Parameters<typeof findInText>[0], text: string, path = 'a.txt'): string[] =>
  findInText(kind, path, text).map(({ value }) => value);

it('finds e-mail addresses without the signs around them', () => {
  expect(values('emails', 'Ann <ann@x.example>, bo.b+c@sub.example.org. not@local @name')).toEqual([
    'ann@x.example',
    'bo.b+c@sub.example.org',
  ]);
});

it('finds links in text, and in Markdown relative ones too', () => {
  expect(values('links', 'see https://x.example/a?b=1. and (http://y.example)')).toEqual([
    'https://x.example/a?b=1',
    'http://y.example',
  ]);
  expect(values('links', '[a](b.md) <https://x.example/>\n', 'a.md')).toEqual(['b.md', 'https://x.example/']);
});

it('finds dates in common forms, and no version numbers', () => {
  expect(
    values('dates', 'on 2024-05-01, 3 March 2023, March 4th, 2022 or 01.02.2021; version 1.2.3, 10:20'),
  ).toEqual(['2024-05-01', '3 March 2023', 'March 4th, 2022', '01.02.2021']);
});

it('finds standalone numbers', () => {
  expect(values('numbers', 'a1 12 and 3.5% of 1,000; 2024-05-01 10:00')).toEqual(['12', '3.5%', '1,000']);
});

it('finds headings outside code', () => {
  const text = '---\nx: 1\n---\n# One\n\n```\n# no\n```\n\nTwo\n---\n\n### Three ###\n';
  expect(headingsOf(text).map(({ value, level, line }) => [value, level, line])).toEqual([
    ['One', 1, 4],
    ['Two', 2, 10],
    ['Three', 3, 13],
  ]);
});

it('indents JSON without changing a value', () => {
  expect(indentJson('{"a":[1.0,{}],"b":"x, {y}","c":[]}')).toBe(
    '{\n  "a": [\n    1.0,\n    {}\n  ],\n  "b": "x, {y}",\n  "c": []\n}\n',
  );
});

it('reports the line of a JSON syntax error', () => {
  expect(problemInJson('{"a":1}')).toBeUndefined();
  expect(problemInJson('{\n  "a": 1,\n}\n')).toMatch(/^line 3, column 1: /);
});

it('finds values by path, by key in any case, and by a nested key', () => {
  const root = { apiUrl: 'x', scripts: { test: 'vitest' }, list: [{ name: 'a' }, { name: 'b' }] };
  expect(findValues(root, 'api url')).toEqual([{ path: 'apiUrl', value: 'x' }]);
  expect(findValues(root, 'scripts.test')).toEqual([{ path: 'scripts.test', value: 'vitest' }]);
  expect(findValues(root, 'test')).toEqual([{ path: 'scripts.test', value: 'vitest' }]);
  expect(findValues(root, 'names').map(({ value }) => value)).toEqual(['a', 'b']);
  expect(findValues(root, 'nothing')).toEqual([]);
});
