import { isOkaError, type Json, type JsonObject } from '../../kernel/index.ts';
import type { ModelMessage } from '../../models/index.ts';
import { isJsonObject } from '../json-value.ts';
import type { Diagnostic, GraphDefinition } from '../types.ts';
import { buildByRules, buildFailed } from './build-by-rules.ts';
import { answerSchema, buildInstructions, feedback } from './build-prompt.ts';
import type { BuildOptions, BuiltGraph, Choice } from './types.ts';

const ATTEMPTS = 3;

interface Proposal {
  readonly definition: GraphDefinition;
  readonly schedule?: string;
  readonly choices?: readonly Choice[];
}

/** The answer of a model: JSON, or text that is not JSON and its problems. */
export interface BuildReply {
  readonly json?: Json | undefined;
  readonly text: string;
  readonly problems?: unknown;
}

/** The next step after the replies so far: another request, the graph, or a failure. */
export type BuildStep =
  | {
      readonly ask: {
        readonly system: string;
        readonly messages: readonly ModelMessage[];
        readonly schema: JsonObject;
      };
    }
  | { readonly built: BuiltGraph }
  | { readonly failed: readonly Diagnostic[] };

/** Builds a graph from an intent, with a model or by rules. The result compiles, or the call fails. */
export async function buildGraph(intent: string, options: BuildOptions): Promise<BuiltGraph> {
  if (options.model === undefined) return buildByRules(intent, options);
  const { provider, model } = options.model;
  const signal = options.signal ?? new AbortController().signal;
  const replies: BuildReply[] = [];
  for (;;) {
    const step = nextBuildStep(intent, replies, options);
    if ('built' in step) return step.built;
    if ('failed' in step) throw noGraph(step.failed);
    const { system, messages, schema } = step.ask;
    const output = { name: 'graph', schema };
    const request = { model, system, messages, output, temperature: 0, purpose: { role: 'builder' } };
    const attempt = replies.length + 1;
    try {
      const answer = await provider.complete(request, signal);
      const { diagnostics } = options.compile(asProposal(answer.json)?.definition);
      options.onAttempt?.({ attempt, diagnostics, answer });
      replies.push({ json: answer.json, text: answer.text });
    } catch (error) {
      if (!isOkaError(error, 'models.malformed')) throw error;
      const problems = error.data['problems'] ?? [];
      options.onAttempt?.({ attempt, diagnostics: malformed(problems) });
      replies.push({ text: String(error.data['text'] ?? ''), problems });
    }
  }
}

/** Decides from the replies so far. Pure: compiles each reply again and sends the diagnostics as the next request. */
export function nextBuildStep(
  intent: string,
  replies: readonly BuildReply[],
  { tools, compile }: Pick<BuildOptions, 'tools' | 'compile'>,
): BuildStep {
  const messages: ModelMessage[] = [{ role: 'user', content: intent }];
  let found: readonly Diagnostic[] = [];
  for (const { json, text, problems } of replies) {
    if (problems === undefined) {
      const proposal = asProposal(json);
      const { graph, diagnostics } = compile(proposal?.definition);
      if (graph && proposal) return { built: accepted(proposal, diagnostics) };
      found = diagnostics;
    } else found = malformed(problems);
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: feedback(found) });
  }
  if (replies.length >= ATTEMPTS) return { failed: found };
  return { ask: { system: buildInstructions(tools), messages, schema: answerSchema() } };
}

export function noGraph(found: readonly Diagnostic[]): ReturnType<typeof buildFailed> {
  return buildFailed(`the model returned no graph that compiles in ${ATTEMPTS} attempts`, found);
}

function asProposal(value: Json | undefined): Proposal | undefined {
  if (!isJsonObject(value)) return undefined;
  // A model may answer with the graph alone.
  if ('nodes' in value) return { definition: value as unknown as GraphDefinition };
  return 'definition' in value ? (value as unknown as Proposal) : undefined;
}

function accepted(
  { definition, schedule, choices = [] }: Proposal,
  warnings: readonly Diagnostic[],
): BuiltGraph {
  return {
    definition,
    by: 'model',
    choices,
    ...(schedule ? { schedule: { cron: schedule, said: schedule } } : {}),
    warnings,
  };
}

function malformed(problems: unknown): Diagnostic[] {
  const list =
    Array.isArray(problems) && problems.length > 0
      ? problems.map(String)
      : ['the answer is not the requested JSON'];
  return list.map((message) => ({
    code: 'graph.invalid_value',
    path: '$',
    message: `${message}.`,
    severity: 'error',
  }));
}
