import type { PolicyRequest, Risk, SideEffect, ToolFace } from '../../src/engine/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import { type CompiledPolicy, compilePolicy } from '../../src/policy/index.ts';
import { fakeTool } from '../support/fake-tool.ts';
import { policyOf } from './good-policies.ts';

/** The face of a tool of this class; it may be repeated only when it reads. */
export function face(
  name: string,
  sideEffect: SideEffect = 'read',
  risk: Risk = 'low',
  extra: Partial<ToolFace> & { readonly destructive?: boolean } = {},
): ToolFace {
  const { destructive = false, ...more } = extra;
  const readOnly = sideEffect === 'read';
  return fakeTool(name, {}, [], {
    sideEffect,
    annotations: { readOnly, destructive, idempotent: readOnly, cacheable: false, risk },
    ...more,
  });
}

/** A call as policy is asked about it. */
export function request(
  tool: ToolFace,
  input: Json = {},
  run: Partial<PolicyRequest['run']> = {},
): PolicyRequest {
  return { tool, input, run: { id: 'r1', kind: 'agent', state: 'act', ...run } };
}

/** A policy of rows, written as `match | decision`. */
export function policyFrom(rows: {
  readonly user?: readonly string[];
  readonly project?: readonly string[];
}): CompiledPolicy {
  const text = (list: readonly string[]): string =>
    policyOf(
      ...list.map((line) => {
        const [match, decision] = line.split(' | ');
        return `| \`${match}\` | ${decision} | said so |`;
      }),
    );
  return compilePolicy({
    ...(rows.user ? { user: { file: 'OKA_HOME/POLICY.md', text: text(rows.user) } } : {}),
    ...(rows.project ? { project: [{ file: 'POLICY.md', text: text(rows.project) }] } : {}),
    workspace: '/home/ann/garden',
  });
}
