import * as z from 'zod';
import type { NodeType } from '../node-type.ts';
import { continueWith } from '../planner/decisions.ts';
import type { ApprovalNode } from '../types.ts';
import {
  checkDuplicateOptions,
  followed,
  nodeSchema,
  targetsIn,
  templatesIn,
  text,
  waitSeconds,
} from './fields.ts';

const summary = 'Asks a person and waits for the answer; its output is {answer, by}.';

export const approval: NodeType<ApprovalNode> = {
  type: 'approval',
  summary,
  schema: nodeSchema('approval', summary, {
    question: text('The question for the person.'),
    options: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(1_000)
      .describe('The answers to choose from; any text when left out.')
      .exactOptional(),
    expires_seconds: waitSeconds('How long the question stays open.').exactOptional(),
    ...followed,
  }),
  targets: (node) => targetsIn(node, 'next'),
  templates: (node) => templatesIn(node, 'question'),
  check: (node) => checkDuplicateOptions(node.options ?? [], 'options'),
  decide(node, view) {
    const answered = view.happened.findLast(({ source }) => source === 'person');
    if (answered !== undefined) {
      const { answer, by } = answered.output as { answer: string; by: string };
      return continueWith(view, node.next, { answer, by }, `${by} answered`);
    }
    return {
      kind: 'ask_human',
      question: view.renderText(node.question),
      ...(node.options === undefined ? {} : { options: node.options }),
      ...(node.expires_seconds === undefined ? {} : { expiresInMs: node.expires_seconds * 1_000 }),
      rationale: view.because(`${node.node_id} needs a person's answer`),
    };
  },
};
