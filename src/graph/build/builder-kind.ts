import {
  type Evidence,
  isLargeOutput,
  type PlanInput,
  type RunKind,
  StateGraph,
} from '../../engine/index.ts';
import type { Digest, Json, JsonObject } from '../../kernel/index.ts';
import { type BuildReply, nextBuildStep, noGraph } from './build-graph.ts';
import type { BuildOptions } from './types.ts';

const TOOL = 'model.complete';

/** Runs that build graphs with a model: each request has a budget, a policy decision and a record. */
export function builderKind(options: Pick<BuildOptions, 'tools' | 'compile'>): RunKind {
  return {
    name: 'builder',
    planner: {
      name: 'builder',
      version: '1',
      deterministic: true,
      estimate: () => ({}),
      async plan(input) {
        const lost = input.evidence.find(({ failure }) => failure && failure.code !== 'models.malformed');
        if (lost?.failure) {
          const { code, message } = lost.failure;
          return { kind: 'fail', code, reason: message, rationale: 'the model did not answer' };
        }
        const replies: BuildReply[] = [];
        for (const fact of input.evidence) replies.push(await replyIn(fact, input));
        const step = nextBuildStep(input.goal, replies, options);
        if ('built' in step) {
          const output = { ...step.built, attempts: replies.length } as unknown as Json;
          return { kind: 'finish', output, rationale: 'the graph compiles' };
        }
        if ('failed' in step) {
          const { code, message } = noGraph(step.failed);
          return { kind: 'fail', code, reason: message, rationale: 'no attempt compiled' };
        }
        const { model } = input.vars;
        return {
          kind: 'call_tool',
          tool: TOOL,
          input: {
            ...(step.ask as unknown as JsonObject),
            format: 'json',
            temperature: 0,
            role: 'builder',
            ...(model === undefined ? {} : { model }),
          },
          rationale: replies.length === 0 ? 'ask the model' : 'send the diagnostics to the model',
        };
      },
    },
    graph: new StateGraph({
      name: 'builder',
      start: 'build',
      states: { build: { to: ['done'], tools: { names: [TOOL] } }, done: { terminal: 'completed' } },
    }),
  };
}

async function replyIn({ output, failure }: Evidence, input: PlanInput): Promise<BuildReply> {
  if (failure)
    return { text: String(failure.data?.['text'] ?? ''), problems: failure.data?.['problems'] ?? [] };
  const large = output !== undefined && isLargeOutput(output);
  const json = large ? await input.whole((output as { artifact: Digest }).artifact) : (output ?? null);
  return { json, text: JSON.stringify(json) };
}
