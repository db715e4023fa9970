import { isOkaError, type Json, type JsonObject } from '../../kernel/index.ts';
import type { ModelMessage } from '../../models/index.ts';
import type { Diagnostic, GraphDefinition } from '../types.ts';
import { buildFailed } from './build-by-rules.ts';
import { answerSchema, buildInstructions, feedback } from './build-prompt.ts';
import type { BuildOptions, BuiltGraph, Choice } from './types.ts';

const ATTEMPTS = 3;

interface Proposal {
  readonly definition: GraphDefinition;
  readonly schedule?: string;
  readonly choices?: readonly Choice[];
}

/** Asks a model for a graph and tells it what the compiler found, three times at most. The result compiles, or it fails. */
export async function buildWithModel(
  intent: string,
  options: BuildOptions & { readonly model: NonNullable<BuildOptions['model']> },
): Promise<BuiltGraph> {
  const { provider, model } = options.model;
  const signal = options.signal ?? new AbortController().signal;
  const messages: ModelMessage[] = [{ role: 'user', content: intent }];
  let found: readonly Diagnostic[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const request = {
      model,
      system: buildInstructions(options.tools),
      messages: [...messages],
      output: { name: 'graph', schema: answerSchema() },
      temperature: 0,
      purpose: { role: 'builder' },
    };
    let said: string;
    try {
      const answer = await provider.complete(request, signal);
      const proposal = asProposal(answer.json);
      const { graph, diagnostics } = options.compile(proposal?.definition);
      options.onAttempt?.({ attempt, diagnostics, answer });
      if (graph && proposal) return accepted(proposal, diagnostics);
      found = diagnostics;
      said = answer.text;
    } catch (error) {
      if (!isOkaError(error, 'models.malformed')) throw error;
      found = malformed(error.data['problems']);
      options.onAttempt?.({ attempt, diagnostics: found });
      said = String(error.data['text'] ?? '');
    }
    messages.push({ role: 'assistant', content: said }, { role: 'user', content: feedback(found) });
  }
  throw buildFailed(`the model gave no graph that compiles in ${ATTEMPTS} attempts`, found);
}

function asProposal(value: Json | undefined): Proposal | undefined {
  const object =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  return 'definition' in object ? (object as unknown as Proposal) : undefined;
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
  const list = Array.isArray(problems)
    ? problems.map(String)
    : ['the answer is not the JSON that was asked for'];
  return list.map((message) => ({
    code: 'graph.invalid_value',
    path: '$',
    message: `${message}.`,
    severity: 'error',
  }));
}
