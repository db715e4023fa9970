import type { GraphFiles } from '../../adapters/workspace/index.ts';
import type { GraphListItem } from '../../api/index.ts';
import { type GraphDefinition, parseGraphText } from '../../graph/index.ts';

/** The graphs of a workspace, read from their files without compiling. */
export function listGraphs(files: GraphFiles): readonly GraphListItem[] {
  return files.list().map((file) => {
    const path = files.shown(file.path);
    const { definition } = parseGraphText(file.text);
    const graph = definition as Partial<GraphDefinition> | undefined;
    const nodes = Array.isArray(graph?.nodes) ? graph.nodes.length : 0;
    const mode = graph?.execution_defaults?.guarantee_mode ?? 'bounded';
    const known = typeof graph?.id === 'string' ? graph.id : path;
    return {
      id: known,
      name: typeof graph?.name === 'string' ? graph.name : known,
      version: String(graph?.version ?? ''),
      path,
      nodes,
      mode,
      ...(graph === undefined ? { problem: 'not JSON that can be read' } : {}),
    };
  });
}
