import { buildByRules } from './build-by-rules.ts';
import { buildWithModel } from './build-with-model.ts';
import type { BuildOptions, BuiltGraph } from './types.ts';

/** Builds a graph from what a person wants, with a model or by rules. What comes back compiles; else it fails. */
export async function buildGraph(intent: string, options: BuildOptions): Promise<BuiltGraph> {
  const { model } = options;
  return model ? buildWithModel(intent, { ...options, model }) : buildByRules(intent, options);
}
