import type { StandardSchemaV1 } from '@standard-schema/spec';
import {
  type ApprovalSummary,
  type Decision,
  Engine,
  type EngineOptions,
  type PlanInput,
  type Planner,
  StateGraph,
  type Tool,
  type ToolAnnotations,
  type ToolContext,
  type ToolSchema,
} from '../../src/engine/index.ts';
import { ManualClock } from './manual-clock.ts';
import { seededRandom } from './seeded-random.ts';

/** A schema that accepts any JSON. */
const anything: ToolSchema = {
  check: {
    '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
  } as StandardSchemaV1,
  json: () => ({}),
};

const READ_ONLY: ToolAnnotations = {
  readOnly: true,
  destructive: false,
  idempotent: true,
  cacheable: false,
  risk: 'none',
};
export const EFFECT: ToolAnnotations = {
  readOnly: false,
  destructive: false,
  idempotent: false,
  cacheable: false,
  risk: 'low',
};

export function readTool(
  name: string,
  handler: (input: never, context: ToolContext) => unknown,
  extra: Partial<Tool> = {},
): Tool {
  return {
    name,
    version: '1',
    description: name,
    input: anything,
    annotations: READ_ONLY,
    sideEffect: 'read',
    handler: handler as Tool['handler'],
    ...extra,
  };
}

export function effectTool(
  name: string,
  handler: (input: never, context: ToolContext) => unknown,
  extra: Partial<Tool> = {},
): Tool {
  return readTool(name, handler, { annotations: EFFECT, sideEffect: 'write_local', ...extra });
}

/** Work happens in `work`, where every tool is eligible; the run may finish from there. */
export const WORK_GRAPH = new StateGraph({
  name: 'work',
  start: 'work',
  states: {
    work: { to: ['more', 'done'], tools: { sideEffects: ['read', 'write_local', 'external_mutation'] } },
    more: { to: ['work', 'done'], tools: { sideEffects: ['read'] } },
    done: { terminal: 'completed' },
    failed: { terminal: 'failed' },
  },
});

export function plannerOf(
  plan: (input: PlanInput) => Decision | Promise<Decision>,
  extra: Partial<Planner> = {},
): Planner {
  return { name: 'test', version: '1', deterministic: true, plan, ...extra };
}

/** Plays the decisions in order, by the number of the step. */
export function scripted(...decisions: readonly Decision[]): Planner {
  return plannerOf((input) => decisions[input.run.step - 1] ?? finish());
}

export function call(tool: string, input: unknown = {}, then?: string): Decision {
  return {
    kind: 'call_tool',
    tool,
    input: input as never,
    rationale: `to call ${tool}`,
    ...(then === undefined ? {} : { then }),
  };
}

export function finish(output: unknown = 'done'): Decision {
  return { kind: 'finish', output: output as never, rationale: 'nothing is left' };
}

export interface Kit {
  readonly engine: Engine;
  readonly clock: ManualClock;
}

/** An engine with one kind of run, `test`, and a manual clock. */
export function makeEngine(
  planner: Planner,
  tools: readonly Tool[],
  options: Partial<EngineOptions> = {},
): Kit {
  const clock = (options.clock as ManualClock | undefined) ?? new ManualClock();
  const engine = new Engine({
    tools,
    kinds: [{ name: 'test', planner, graph: WORK_GRAPH }],
    clock,
    random: seededRandom(3),
    ...options,
  });
  return { engine, clock };
}

/** The only open approval or question. */
export async function openApproval(engine: Engine): Promise<ApprovalSummary> {
  const [approval, ...more] = await engine.parts.runs.approvals({ status: 'pending' });
  if (approval === undefined || more.length > 0) throw new Error('exactly one open approval was expected');
  return approval;
}
