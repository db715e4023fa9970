import type { Json } from '../../kernel/index.ts';
import type { Procedure } from './types.ts';

const PLACE = /\{\{[^{}]*\}\}/;

/**
 * Whether a learned procedure can be tried where nothing but its steps says what to do: every step is one exact call, and
 * every text in it comes from the goal. A text that was merely the same every time may have been read somewhere.
 */
export function isToldByGoal({ steps, trigger }: Pick<Procedure, 'steps' | 'trigger'>): boolean {
  const phrase = trigger.phrases.join('\n').toLowerCase();
  const isTold = (text: string): boolean => PLACE.test(text) || phrase.includes(text.toLowerCase());
  return (
    steps.length > 0 &&
    steps.every(
      ({ tool, input }) => tool !== undefined && input !== undefined && textsIn(input).every(isTold),
    )
  );
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap((member) => textsIn(member as Json));
}
