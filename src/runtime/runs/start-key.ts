import type { RunRequest } from '../../engine/index.ts';
import { digestOfJson, idOfKey, type Json } from '../../kernel/index.ts';

/** Parts of a request that say how its caller follows the run. A retry may have others. */
const FOLLOWING = ['key', 'patienceMs', 'signal', 'onEvent', 'onText', 'onActivity'];

/** The id of the run that a start with a key creates, and the digest by which a retry is told from another request. */
export function keyedStart(
  operation: string,
  request: { readonly key?: string },
): Pick<RunRequest, 'id' | 'asked'> {
  if (request.key === undefined) return {};
  const asked = Object.entries(request).filter(
    ([name, value]) => !FOLLOWING.includes(name) && value !== undefined,
  );
  return {
    id: idOfKey(request.key),
    asked: digestOfJson([operation, Object.fromEntries(asked) as Record<string, Json>]),
  };
}
