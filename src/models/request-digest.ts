import { type Digest, digestOfJson } from '../kernel/index.ts';
import type { ModelRequest } from './types.ts';

/** Names what was asked: equal questions have equal digests, whoever asks and for whichever run. */
export function digestOfRequest({ purpose: _, ...asked }: ModelRequest): Digest {
  return digestOfJson(asked);
}
