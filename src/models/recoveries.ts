import type { ModelAnswer, ModelDelta, ModelRecovery } from './types.ts';

/** The answer with the failed requests before it. */
export function withRecoveries(answer: ModelAnswer, failed: readonly ModelRecovery[]): ModelAnswer {
  if (failed.length === 0) return answer;
  return { ...answer, recovered: [...failed, ...(answer.recovered ?? [])] };
}

/** The piece of a stream; the whole answer gets the failed requests before it. */
export function deltaWithRecoveries(delta: ModelDelta, failed: readonly ModelRecovery[]): ModelDelta {
  return delta.kind === 'answer' ? { kind: 'answer', answer: withRecoveries(delta.answer, failed) } : delta;
}
