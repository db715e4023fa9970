import { createSuggester, didYouMean } from '../../kernel/index.ts';
import type { Finding } from '../node-type.ts';
import type { LlmConditionNode } from '../types.ts';

/** Every option has a target, every target an option, and the default is an option. */
export function checkBranches(node: LlmConditionNode): readonly Finding[] {
  const { branch_options: options, branch_targets: targets } = node;
  const known = new Set(options);
  const nearest = createSuggester(known).nearest;
  return [
    ...enoughOptions(options),
    ...duplicateOptions(options, 'branch_options'),
    ...options.flatMap((option, index) => (Object.hasOwn(targets, option) ? [] : [noTarget(option, index)])),
    ...Object.keys(targets).flatMap((option) =>
      known.has(option) ? [] : [noOption(option, nearest(option))],
    ),
    ...(node.default === undefined || known.has(node.default)
      ? []
      : [defaultIsNoOption(node.default, nearest(node.default))]),
  ];
}

/** The options that stand more than once. */
export function duplicateOptions(options: readonly string[], field: string): Finding[] {
  const seen = new Set<string>();
  return options.flatMap((option, index): Finding[] => {
    if (!seen.has(option)) {
      seen.add(option);
      return [];
    }
    return [
      {
        code: 'graph.duplicate_option',
        field: [field, index],
        message: `the option "${option}" stands twice.`,
        suggestion: 'Remove one of them.',
      },
    ];
  });
}

function enoughOptions(options: readonly string[]): Finding[] {
  if (new Set(options).size >= 2) return [];
  return [
    {
      code: 'graph.too_few_options',
      field: ['branch_options'],
      message: 'a choice needs at least two options.',
      suggestion: 'Add an option, or use "next" on the node before.',
    },
  ];
}

function noTarget(option: string, index: number): Finding {
  return {
    code: 'graph.option_without_target',
    field: ['branch_options', index],
    message: `the option "${option}" leads nowhere.`,
    suggestion: `Add "${option}" to branch_targets.`,
  };
}

function noOption(option: string, nearest: string | undefined): Finding {
  return {
    code: 'graph.target_without_option',
    field: ['branch_targets', option],
    message: `"${option}" is not one of the options.`,
    suggestion: didYouMean(nearest, 'Add it to branch_options or remove it.'),
  };
}

function defaultIsNoOption(option: string, nearest: string | undefined): Finding {
  return {
    code: 'graph.default_not_an_option',
    field: ['default'],
    message: `the default "${option}" is not one of the options.`,
    suggestion: didYouMean(nearest, 'Choose one of branch_options.'),
  };
}
