import * as z from 'zod';
import type { Decision } from '../../engine/index.ts';
import { createSuggester, didYouMean } from '../../kernel/index.ts';
import type { Finding, NodeType } from '../node-type.ts';
import { attempt, bounds, NODE_TOOLS, passInput } from '../planner/decisions.ts';
import type { NodeView } from '../planner/node-view.ts';
import type { LlmConditionNode } from '../types.ts';
import {
  attempted,
  checkDuplicateOptions,
  nodeId,
  nodeSchema,
  targetsIn,
  templatesIn,
  text,
} from './fields.ts';

const summary = 'Asks a model to choose one of several branches; its output is its input.';

export const llmCondition: NodeType<LlmConditionNode> = {
  type: 'llm_condition',
  summary,
  schema: nodeSchema('llm_condition', summary, {
    prompt: text('The question for the model.'),
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
  check: (node) => [...checkBranches(node)],
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
      rationale: view.because(`${node.node_id} asks a model to choose a branch`),
    }));
  },
};

interface Choice {
  readonly choice: string | null;
  readonly answer: string;
}

/** Takes the chosen branch. An answer that is no option fails in strict mode; else the default branch is taken and recorded. */
function follow(node: LlmConditionNode, view: NodeView, { choice, answer }: Choice): Decision {
  const target = choice === null ? undefined : node.branch_targets[choice];
  if (target !== undefined) return passInput(view, target, `the model chose "${choice}"`);
  if (view.mode === 'strict') {
    return {
      kind: 'fail',
      code: 'graph.branch_not_offered',
      reason: `the model answered "${answer}", which is none of ${node.branch_options.join(', ')}.`,
      rationale: 'strict mode takes only a chosen branch',
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

/** Every option must have a target and every target an option, and the default must be an option. */
function* checkBranches(node: LlmConditionNode): Generator<Finding> {
  const { branch_options: options, branch_targets: targets } = node;
  const known = new Set(options);
  const { nearest } = createSuggester(known);
  if (known.size < 2)
    yield {
      code: 'graph.too_few_options',
      field: ['branch_options'],
      message: 'a choice needs at least two options.',
      suggestion: 'Add an option, or use "next" on the node before.',
    };
  yield* checkDuplicateOptions(options, 'branch_options');
  for (const [index, option] of options.entries())
    if (!Object.hasOwn(targets, option))
      yield {
        code: 'graph.option_without_target',
        field: ['branch_options', index],
        message: `the option "${option}" has no target.`,
        suggestion: `Add "${option}" to branch_targets.`,
      };
  for (const option of Object.keys(targets))
    if (!known.has(option))
      yield {
        code: 'graph.target_without_option',
        field: ['branch_targets', option],
        message: `"${option}" is not one of the options.`,
        suggestion: didYouMean(nearest(option), 'Add it to branch_options or remove it.'),
      };
  if (node.default !== undefined && !known.has(node.default))
    yield {
      code: 'graph.default_not_an_option',
      field: ['default'],
      message: `the default "${node.default}" is not one of the options.`,
      suggestion: didYouMean(nearest(node.default), 'Choose one of branch_options.'),
    };
}
