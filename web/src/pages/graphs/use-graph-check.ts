import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../../api/client.ts';
import type { Problem } from '../../api/problem.ts';
import type { Answer } from '../../api/query.ts';
import type { NodeProblems } from '../../parts/graph-canvas/canvas-node.tsx';
import type { GraphDocument } from '../../parts/graph-canvas/graph-document.ts';
import { useDebounced } from './use-debounced.ts';

export type Diagnostic = Answer<'/v1/graphs/check', 'post'>['diagnostics'][number];

export interface GraphCheck {
  readonly diagnostics: readonly Diagnostic[];
  /** True while the shown problems are those of an earlier document. */
  readonly isStale: boolean;
  readonly error: Problem | null;
  readonly byNode: ReadonlyMap<string, NodeProblems>;
}

const REST_MS = 300;
const KEPT_MS = 60_000;

const NOTHING: readonly string[] = [];

/** The problems of a document that is being edited. Graphs that are saved with it count as saved. */
export function useGraphCheck(document: GraphDocument, also: readonly string[] = NOTHING): GraphCheck {
  const definition = useDebounced(document, REST_MS);
  const query = useQuery<Answer<'/v1/graphs/check', 'post'>, Problem>({
    queryKey: ['graph-check', definition],
    queryFn: async ({ signal }) => {
      const { data } = await client.POST('/v1/graphs/check', { body: { definition }, signal });
      return data as Answer<'/v1/graphs/check', 'post'>;
    },
    placeholderData: keepPreviousData,
    gcTime: KEPT_MS,
    staleTime: KEPT_MS,
  });
  const { data } = query;
  const diagnostics = useMemo(
    () => (data?.diagnostics ?? []).filter((diagnostic) => !isAdded(diagnostic, definition, also)),
    [data, definition, also],
  );
  const byNode = useMemo(() => countByNode(diagnostics, definition), [diagnostics, definition]);
  return {
    diagnostics,
    isStale: definition !== document || query.isFetching,
    error: query.error,
    byNode,
  };
}

function isAdded(diagnostic: Diagnostic, document: GraphDocument, also: readonly string[]): boolean {
  if (diagnostic.code !== 'graph.unknown_graph') return false;
  const id = nodeOf(diagnostic, document);
  const called = document.nodes.find(({ node_id }) => node_id === id)?.['graph'];
  return typeof called === 'string' && also.includes(called);
}

/** The id of the node that a problem is in. */
export function nodeOf({ path }: Pick<Diagnostic, 'path'>, { nodes }: GraphDocument): string | undefined {
  const index = /^\$\.nodes\[(\d+)\]/.exec(path)?.[1];
  return index === undefined ? undefined : nodes[Number(index)]?.node_id;
}

function countByNode(
  diagnostics: readonly Diagnostic[],
  document: GraphDocument,
): ReadonlyMap<string, NodeProblems> {
  const counts = new Map<string, NodeProblems>();
  for (const diagnostic of diagnostics) {
    const id = nodeOf(diagnostic, document);
    if (id === undefined) continue;
    const { errors, warnings } = counts.get(id) ?? { errors: 0, warnings: 0 };
    const isError = diagnostic.severity === 'error';
    counts.set(id, { errors: errors + (isError ? 1 : 0), warnings: warnings + (isError ? 0 : 1) });
  }
  return counts;
}
