import { type Clock, isOkaError } from '../../kernel/index.ts';
import type { ModelAnswer, ModelProvider, ModelRequest } from '../../models/index.ts';

/** What a model can do, found by calling it. */
export interface ModelProbe {
  /** How long the first answer took. */
  readonly answeredMs: number;
  readonly streaming: boolean;
  readonly tools: boolean;
  readonly json: boolean;
}

interface ProbeOptions {
  readonly model: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Enough for a model that thinks before it answers. */
const MAX_TOKENS = 2_000;
const MAX_PING_TOKENS = 16;

const TOOL = {
  name: 'report_sum',
  description: 'Reports the sum of two numbers.',
  inputSchema: { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] },
} as const;

const OUTPUT = {
  name: 'city',
  schema: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
} as const;

/** Asks for a short answer. Fails with what is wrong with the model. */
export async function pingModel(provider: ModelProvider, { model, signal }: ProbeOptions): Promise<void> {
  const request = { ...question(model, 'Reply with the word ready.'), maxOutputTokens: MAX_PING_TOKENS };
  await provider.complete(request, signal).catch(unlessAnswered);
}

/** A model that is cut at the small limit of a test has answered. */
function unlessAnswered(error: unknown): void {
  if (!isOkaError(error, ['models.answer_cut', 'models.answer_empty'])) throw error;
}

/** A test needs no whole answer. */
const account: NonNullable<ModelRequest['account']> = {
  admits: async (why) => why === 'retry',
  begin: () => ({ answered: () => undefined, failed: () => undefined }),
  spend: () => ({}),
};

/** Streams an answer, requests a tool call, and requests JSON. Fails if the model does not answer at all. */
export async function probeModel(provider: ModelProvider, options: ProbeOptions): Promise<ModelProbe> {
  const { model, clock, signal } = options;
  const startedAt = clock.now();
  const streaming = await streams(provider, options);
  const answeredMs = clock.now() - startedAt;
  const [tools, json] = await Promise.all([
    can(async () => {
      const asked = question(model, 'What is 2 + 3? Report the sum with the tool report_sum.');
      return calls(await provider.complete({ ...asked, tools: [TOOL] }, signal));
    }),
    can(async () => {
      const asked = question(
        model,
        'Which city is the capital of France? Answer as JSON: {"city": "<name>"}',
      );
      return (await provider.complete({ ...asked, output: OUTPUT }, signal)).json !== undefined;
    }),
  ]);
  return { answeredMs, streaming, tools, json };
}

async function streams(provider: ModelProvider, { model, signal }: ProbeOptions): Promise<boolean> {
  const request = question(model, 'Reply with the word ready.');
  let pieces = 0;
  try {
    for await (const delta of provider.stream(request, signal)) if (delta.kind === 'text') pieces += 1;
    return pieces > 0;
  } catch (error) {
    if (!isInability(error)) throw error;
    if (pieces > 0) return true;
    await provider.complete(request, signal).catch(unlessAnswered);
    return false;
  }
}

async function can(attempt: () => Promise<boolean>): Promise<boolean> {
  try {
    return await attempt();
  } catch (error) {
    if (isInability(error)) return false;
    throw error;
  }
}

/** A call that the model made itself, not one that was described in its prompt. */
function calls({ toolCalls, recovered = [] }: ModelAnswer): boolean {
  return (
    toolCalls.some(({ tool }) => tool === TOOL.name) &&
    !recovered.some(({ code }) => code === 'models.tools_unsupported')
  );
}

/** Failures that say that the model or its server cannot do this. */
function isInability(error: unknown): boolean {
  return (
    isOkaError(error) &&
    !error.transient &&
    isOkaError(error, [
      'models.malformed',
      'models.request_failed',
      'models.answer_cut',
      'models.answer_empty',
    ])
  );
}

function question(model: string, content: string): ModelRequest {
  return { model, messages: [{ role: 'user', content }], maxOutputTokens: MAX_TOKENS, account };
}
