import { OkaError } from '../../kernel/index.ts';
import type { RenderErrorCode } from './types.ts';

/** The refusal of a picture that nobody could read. */
export function tooLargeToDraw(why: string): OkaError<RenderErrorCode> {
  return new OkaError(
    'graph.too_large_to_draw',
    `the graph is too large to draw: ${why}. Render it as mermaid or dot, which have no limit.`,
  );
}
