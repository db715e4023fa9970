import * as z from 'zod';
import {
  type ArtifactStore,
  type ChildSpec,
  PendingAnswer,
  requireCapability,
  type Tool,
} from '../engine/index.ts';
import type { Digest, Json } from '../kernel/index.ts';
import { anyJson, defineTool, READ_ONLY } from './define-tool.ts';

/** Finds a graph and makes a run of it; handed in as the capability `graphs`. */
export interface GraphRunner {
  /** The run to start; what it is pinned to is stored with `keep`. Throws `graph.unknown` or `graph.invalid`. */
  child(graph: string, input: Json, keep: (content: string) => Promise<Digest>): Promise<ChildSpec>;
}

export const runGraph: Tool = defineTool({
  name: 'graph.run',
  description: 'Runs a saved automation graph of the workspace with an input and gives its output.',
  input: z.strictObject({
    graph: z.string().min(1).describe('the id of the graph, or the path of its file'),
    input: anyJson.default({}).describe('what the graph takes'),
  }),
  output: anyJson,
  // What the graph does is judged call by call in its own run.
  annotations: READ_ONLY,
  sideEffect: 'read',
  ledgerOnly: true,
  handler: async ({ graph, input }, context) => {
    const artifacts = requireCapability<ArtifactStore>(context, 'artifacts');
    const keep = async (content: string): Promise<Digest> =>
      (await artifacts.put(content, { mediaType: 'application/json' })).digest;
    const child = await requireCapability<GraphRunner>(context, 'graphs').child(graph, input, keep);
    return new PendingAnswer({ kind: 'children', children: [child], onError: 'fail', single: true });
  },
});
