import type { NodeType } from '../node-type.ts';
import type { EndNode } from '../types.ts';
import { nodeSchema, templatesIn } from './fields.ts';

const summary = "Ends the run; its input is the run's output.";

export const end: NodeType<EndNode> = {
  type: 'end',
  summary,
  schema: nodeSchema('end', summary, {}),
  targets: () => [],
  templates: (node) => templatesIn(node),
  decide: (_, view) => {
    const output = view.input;
    return { kind: 'finish', output, rationale: view.because('the graph has reached an end') };
  },
};
