import { expect, test } from 'vitest';
import { type Child, foldersAbove, type OpenFolder, treeRows } from './tree-rows.ts';

const child = (path: string, kind: Child['kind'] = 'file'): Child => ({
  path,
  name: path.split('/').at(-1) as string,
  kind,
  heads: [],
  staleBelow: 0,
});
const folder = (path: string, items: readonly Child[], next?: string): OpenFolder => ({
  pages: [{ path, heads: [], items: [...items], ...(next !== undefined && { next }) }],
  isLoading: false,
});
const text = (folders: ReadonlyMap<string, OpenFolder>): string =>
  treeRows(folders)
    .map((row) => `${'-'.repeat(row.depth)}${row.kind === 'child' ? row.child.path : row.kind}`)
    .join(' ');

test('the children of an open folder are below it', () => {
  const folders = new Map([
    ['', folder('', [child('a', 'directory'), child('b')])],
    ['a', folder('a', [child('a/x')])],
  ]);
  expect(text(folders)).toBe('root a -a/x b');
});

test('a folder with more children ends with a row that loads them', () => {
  const folders = new Map([['', folder('', [child('a')], 'cursor')]]);
  expect(text(folders)).toBe('root a more');
});

test('an open folder says that it loads or is empty', () => {
  const folders = new Map<string, OpenFolder>([
    ['', folder('', [child('a', 'directory'), child('b', 'directory')])],
    ['a', { pages: [], isLoading: true }],
    ['b', folder('b', [])],
  ]);
  expect(text(folders)).toBe('root a -note b -note');
});

test('the folders above a path lead to it', () => {
  expect(foldersAbove('a/b/c')).toEqual(['a', 'a/b']);
  expect(foldersAbove('a')).toEqual([]);
});
