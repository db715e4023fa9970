import type { FixtureOpts, FixtureResponse } from '@copilotkit/aimock';
import { type CannedAnswer, modelProviderConformance } from '../../src/models/model-provider.conformance.ts';
import { emulatorSaying, providerAt, WIRE_FORMATS, type WireFormat } from './wires.ts';

type CannedError = Extract<CannedAnswer, { kind: 'error' }>['error'];

/** How each kind of failure looks on the wire. */
function failing(error: CannedError, { provider }: WireFormat): FixtureResponse {
  if (error === 'request_failed') return { status: 500, error: { message: 'the server has a problem' } };
  if (error === 'rate_limited')
    return { status: 429, error: { message: 'slow down', type: 'rate_limit_error' } };
  if (error === 'context_exceeded')
    return provider === 'anthropic'
      ? {
          status: 400,
          error: {
            type: 'invalid_request_error',
            message: 'prompt is too long: 210000 tokens > 200000 maximum',
          },
        }
      : {
          status: 400,
          error: { code: 'context_length_exceeded', message: 'the maximum context length is 8192 tokens' },
        };
  if (provider === 'ollama')
    return { status: 400, error: { code: 'content_filter', message: 'not this question' } };
  return { content: 'No.', finishReason: provider === 'anthropic' ? 'refusal' : 'content_filter' };
}

function saying(answer: CannedAnswer, wire: WireFormat): [FixtureResponse, FixtureOpts?] {
  switch (answer.kind) {
    case 'text':
      return [{ content: answer.text }, { chunkSize: 3 }];
    case 'json':
      return [{ content: JSON.stringify(answer.json) }];
    case 'tool_calls':
      return [
        {
          toolCalls: answer.calls.map(({ tool, input }) => ({
            name: tool,
            arguments: JSON.stringify(input),
          })),
        },
      ];
    case 'cut':
      return [
        { content: `${answer.after} sentence that goes on` },
        { chunkSize: 4, latency: 10, truncateAfterChunks: 4 },
      ];
    case 'error':
      return [failing(answer.error, wire)];
  }
}

for (const wire of WIRE_FORMATS)
  modelProviderConformance(`${wire.provider} against the emulator`, async (answer) => {
    const emulator = await emulatorSaying(...saying(answer, wire));
    return providerAt(wire, emulator.url, wire.embeds ? { entry: { embeddingModel: 'embedding-1' } } : {});
  });
