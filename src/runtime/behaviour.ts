// Every tool and every kind of run. A new one is one line here or in the list that it belongs to.
import { agentKind } from '../agent/index.ts';
import type { RunKind, Tool } from '../engine/index.ts';
import { builderKind, compileGraph, graphKind } from '../graph/index.ts';
import { builtInTools } from '../tools/index.ts';
import { describeTool } from './describe-tool.ts';
import { toolDirectory } from './graph-library.ts';

export const tools: readonly Tool[] = builtInTools();
const directory = toolDirectory(tools);
const builder = builderKind({
  // Described when a graph is built, which few runs do.
  get tools() {
    return tools.map(describeTool);
  },
  compile: (source) => compileGraph(source, { tools: directory }),
});

export const kinds: readonly RunKind[] = [agentKind(), graphKind, builder];
