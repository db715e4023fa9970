import * as z from 'zod';
import type { Decision } from '../../engine/index.ts';
import type { NodeType } from '../node-type.ts';
import { attempt, bounds } from '../planner/attempt.ts';
import { NODE_TOOLS, passOn } from '../planner/decisions.ts';
import type { NodeView } from '../planner/node-view.ts';
import type { LlmConditionNode } from '../types.ts';
import { checkBranches } from './check-branches.ts';
import { attempted, nodeId, nodeSchema, targetsIn, templatesIn, text } from './fields.ts';

const summary = 'Asks a model to choose one of several ways; what it was given goes on as its output.';

export const llmCondition: NodeType<LlmConditionNode> = {
  type: 'llm_condition',
  summary,
  schema: nodeSchema('llm_condition', summary, {
    prompt: text('What the model is asked.'),
    branch_options: z
      .array(z.string().min(1).max(200))
      .max(1_000)
      .describe('The answers to choose from; at least two.'),
    branch_targets: z
      .record(z.string(), nodeId('The node to go to.'))
      .describe('The node to go to for each option.'),
    default: z
      .string()
      .describe('The option taken when the answer is none of them; refused in strict mode.')
      .exactOptional(),
    model: text('The model to ask; the configured one when left out.').exactOptional(),
    ...attempted,
  }),
  targets: (node) => [
    ...Object.entries(node.branch_targets).map(([option, to]) => ({ field: ['branch_targets', option], to })),
    ...targetsIn(node, 'on_error'),
  ],
  templates: (node) => templatesIn(node, 'prompt'),
  check: checkBranches,
  tools: () => [NODE_TOOLS.choose],
  decide(node, view) {
    const answered = view.happened.findLast(({ output }) => output !== undefined);
    if (answered !== undefined) return follow(node, view, answered.output as unknown as Choice);
    return attempt(view, node, () => ({
      kind: 'call_tool',
      tool: NODE_TOOLS.choose,
      input: {
        prompt: view.renderText(node.prompt),
        options: node.branch_options,
        ...(node.model === undefined ? {} : { model: node.model }),
      },
      ...bounds(view, node),
      rationale: view.because(`${node.node_id} asks a model which way to go`),
    }));
  },
};

interface Choice {
  readonly choice: string | null;
  readonly answer: string;
}

/** Goes the way that was chosen. An answer that is no option fails in strict mode; else the default way is taken, on record. */
function follow(node: LlmConditionNode, view: NodeView, { choice, answer }: Choice): Decision {
  const target = choice === null ? undefined : node.branch_targets[choice];
  if (target !== undefined) return passOn(view, target, `the model chose "${choice}"`);
  if (view.mode === 'strict') {
    return {
      kind: 'fail',
      code: 'graph.branch_not_offered',
      reason: `the model answered "${answer}", which is none of ${node.branch_options.join(', ')}.`,
      rationale: 'strict mode takes no way that was not chosen',
    };
  }
  const otherwise = node.default ?? node.branch_options[0] ?? '';
  return {
    kind: 'transition',
    to: node.branch_targets[otherwise] ?? '',
    remedy: { kind: 'branch' },
    rationale: `the model answered "${answer}", which is no option; "${otherwise}" is taken instead.`,
  };
}
