import { expect, test } from 'vitest';
import { diffLines } from './diff-lines.ts';

test('the lines of a diff have kinds, without the names of the files', () => {
  const diff = '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n';
  expect(diffLines(diff).map(({ kind }) => kind)).toEqual(['hunk', 'same', 'remove', 'add']);
});

test('a removed line that starts with dashes is a removed line', () => {
  expect(diffLines('@@ -1 +0,0 @@\n--- title').at(-1)).toEqual({ kind: 'remove', text: '--- title' });
});
