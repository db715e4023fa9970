import { useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { apiKey, readApi } from '../../api/query.ts';
import { type ChildrenPage, foldersAbove, type OpenFolder, type TreeRow, treeRows } from './tree-rows.ts';

const PAGE = 200;

interface Tree {
  readonly rows: readonly TreeRow[];
  readonly toggle: (path: string) => void;
  readonly loadMore: (path: string, cursor: string) => void;
}

/** The rows of the tree. Only open folders are loaded, page by page; the folders above the chosen path are open at first. */
export function useTree(chosen: string): Tree {
  const [cursors, setCursors] = useState<ReadonlyMap<string, readonly (string | undefined)[]>>(
    () => new Map(['', ...foldersAbove(chosen)].map((path) => [path, [undefined]])),
  );
  const wanted = useMemo(
    () => [...cursors].flatMap(([path, list]) => list.map((cursor) => ({ path, cursor }))),
    [cursors],
  );
  const results = useQueries({ queries: wanted.map(({ path, cursor }) => pageQuery(path, cursor)) });
  const folders = new Map<string, OpenFolder>();
  for (const [index, { path }] of wanted.entries()) {
    const { data, error, isPending } = results[index] as (typeof results)[number];
    const known = folders.get(path) ?? { pages: [], isLoading: false };
    folders.set(path, {
      ...known,
      pages: data === undefined ? known.pages : [...known.pages, data],
      isLoading: known.isLoading || isPending,
      ...(data === undefined && error !== null && { problem: toProblem(error).detail }),
    });
  }
  const toggle = useCallback(
    (path: string) =>
      setCursors((now) => {
        const next = new Map(now);
        if (!next.delete(path)) next.set(path, [undefined]);
        return next;
      }),
    [],
  );
  const loadMore = useCallback(
    (path: string, cursor: string) =>
      setCursors((now) => {
        const loaded = now.get(path) ?? [];
        return loaded.includes(cursor) ? now : new Map(now).set(path, [...loaded, cursor]);
      }),
    [],
  );
  return { rows: treeRows(folders), toggle, loadMore };
}

function pageQuery(path: string, cursor: string | undefined) {
  const input = { params: { query: { node: path, limit: PAGE, ...(cursor !== undefined && { cursor }) } } };
  return {
    queryKey: apiKey('/v1/context/children', input),
    queryFn: (): Promise<ChildrenPage> => readApi('/v1/context/children', input),
  };
}
