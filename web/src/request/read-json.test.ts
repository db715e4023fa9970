import { expect, test } from 'vitest';
import { readJson } from './read-json.ts';

test('valid JSON is parsed', () => {
  expect(readJson('{ "path": "a.md" }')).toEqual({ value: { path: 'a.md' } });
});

test('an error names the line', () => {
  expect(readJson('{\n  "path": "a.md",\n  oops\n}')).toEqual({
    error: expect.stringContaining('line 3') as string,
  });
});

test('empty text is not JSON', () => {
  expect(readJson(' \n')).toEqual({ error: expect.stringContaining('empty') as string });
});
