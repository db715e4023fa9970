import * as z from 'zod';
import {
  type ArtifactStore,
  type ChildSpec,
  PendingAnswer,
  requireCapability,
  type Tool,
} from '../engine/index.ts';
import type { Digest, Json } from '../kernel/index.ts';
import { anyJson, defineTool, READS } from './define-tool.ts';

/** Provided as the capability `graphs`. */
export interface GraphRunner {
  /** The run of a graph; its definition is stored with `store`. Fails with `graph.unknown` or `graph.invalid`. */
  child(
    graph: string,
    input: Json,
    store: (content: string) => Promise<Digest>,
  ): Promise<ChildSpec & { readonly untrustedFrom?: string }>;
}

export const runGraph: Tool = defineTool({
  name: 'graph.run',
  description: 'Runs a saved automation graph of the workspace and returns its output.',
  input: z.strictObject({
    graph: z.string().min(1).describe('the id of the graph, or the path of its file'),
    input: anyJson.default({}).describe('the input of the graph'),
  }),
  output: anyJson,
  // Policy decides about each call of the graph in its own run.
  ...READS,
  ledgerOnly: true,
  handler: async ({ graph, input }, context) => {
    const artifacts = requireCapability<ArtifactStore>(context, 'artifacts');
    const store = async (content: string): Promise<Digest> =>
      (await artifacts.put(content, { mediaType: 'application/json' })).digest;
    const { untrustedFrom, ...child } = await requireCapability<GraphRunner>(context, 'graphs').child(
      graph,
      input,
      store,
    );
    if (untrustedFrom !== undefined) context.noteRead?.({ untrusted: untrustedFrom });
    return new PendingAnswer({ kind: 'children', children: [child], onError: 'fail', single: true });
  },
});
