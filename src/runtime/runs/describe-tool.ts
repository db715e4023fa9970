import type { Tool } from '../../engine/index.ts';
import type { BuildTool } from '../../graph/index.ts';

/** A tool as builders of graphs see it. */
export function describeTool(tool: Tool): BuildTool {
  const { name, description, annotations, sideEffect } = tool;
  const output = tool.output?.json();
  return {
    name,
    description,
    annotations,
    sideEffect,
    inputSchema: tool.input.json(),
    ...(output === undefined ? {} : { outputSchema: output }),
  };
}
