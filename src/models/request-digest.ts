import { type Digest, digestOfJson } from '../kernel/index.ts';
import type { ModelRequest } from './types.ts';

/** Equal requests have equal digests, regardless of agent and run. */
export function digestOfRequest({ purpose: _, ...asked }: ModelRequest): Digest {
  return digestOfJson(asked);
}
