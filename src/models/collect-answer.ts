import { type Digest, digestOfJson } from '../kernel/index.ts';
import { modelError } from './model-error.ts';
import type { ModelAnswer, ModelDelta, ModelRequest } from './types.ts';

/** Reads a stream to its end and returns its answer; `onText` receives the text pieces. A stream without an answer was cut. */
export async function collectAnswer(
  stream: AsyncIterable<ModelDelta>,
  onText: (text: string) => void = () => undefined,
): Promise<ModelAnswer> {
  let answer: ModelAnswer | undefined;
  for await (const delta of stream) {
    if (delta.kind === 'answer') answer = delta.answer;
    else onText(delta.text);
  }
  if (answer) return answer;
  throw modelError('models.stream_cut', 'The stream ended without an answer. Retry the request.');
}

/** Equal requests have equal digests, regardless of agent and run. */
export function digestOfRequest({ purpose: _, account: __, ...asked }: ModelRequest): Digest {
  return digestOfJson(asked);
}
