import type { Tool } from '../../engine/index.ts';
import { builtInTools } from '../../tools/index.ts';

/** The built-in tools and more, without the kinds of runs: listing tools does not need those. */
export function allTools(moreTools: readonly Tool[] = []): readonly Tool[] {
  return [...builtInTools(), ...moreTools];
}
