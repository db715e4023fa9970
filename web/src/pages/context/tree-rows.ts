import type { Answer } from '../../api/query.ts';

export type ChildrenPage = Answer<'/v1/context/children'>;
export type Child = ChildrenPage['items'][number];

/** What is loaded of an open folder. */
export interface OpenFolder {
  readonly pages: readonly ChildrenPage[];
  readonly isLoading: boolean;
  readonly problem?: string;
}

export type TreeRow =
  | { readonly kind: 'root'; readonly depth: 0; readonly heads: Child['heads'] }
  | { readonly kind: 'child'; readonly depth: number; readonly child: Child; readonly isOpen: boolean }
  | { readonly kind: 'more'; readonly depth: number; readonly path: string; readonly cursor: string }
  | { readonly kind: 'note'; readonly depth: number; readonly path: string; readonly text: string };

/** The visible rows: the workspace, its children and, below each open folder, its own. */
export function treeRows(folders: ReadonlyMap<string, OpenFolder>): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const [first] = folders.get('')?.pages ?? [];
  if (first !== undefined) rows.push({ kind: 'root', depth: 0, heads: first.heads });
  addRows(rows, folders, '', 0);
  return rows;
}

function addRows(
  rows: TreeRow[],
  folders: ReadonlyMap<string, OpenFolder>,
  path: string,
  depth: number,
): void {
  const folder = folders.get(path);
  if (folder === undefined) return;
  for (const child of folder.pages.flatMap(({ items }) => items)) {
    const isOpen = child.kind === 'directory' && folders.has(child.path);
    rows.push({ kind: 'child', depth, child, isOpen });
    if (isOpen) addRows(rows, folders, child.path, depth + 1);
  }
  const next = folder.pages.at(-1)?.next;
  if (folder.problem !== undefined) rows.push({ kind: 'note', depth, path, text: folder.problem });
  else if (folder.isLoading) rows.push({ kind: 'note', depth, path, text: 'Loading…' });
  else if (next !== undefined) rows.push({ kind: 'more', depth, path, cursor: next });
  else if (folder.pages.every(({ items }) => items.length === 0))
    rows.push({ kind: 'note', depth, path, text: 'Empty' });
}

export function rowKey(row: TreeRow): string {
  if (row.kind === 'root') return row.kind;
  return row.kind === 'child' ? `child ${row.child.path}` : `${row.kind} ${row.path}`;
}

/** The name of a row's path in the address; none for a row that is no path. */
export function rowPath(row: TreeRow | undefined): string | undefined {
  if (row?.kind === 'root') return '.';
  return row?.kind === 'child' ? row.child.path : undefined;
}

/** The folders above a path, without the root: `a`, `a/b` for `a/b/c`. */
export function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
