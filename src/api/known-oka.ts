// Owns: how the API is called by a face: what a call knows about itself, and what reading answers while a server is away.
import { inOperation, isOkaError, type OperationScope, type Warning } from '../kernel/index.ts';
import type { OkaApi } from './oka-api.ts';
import { OPERATIONS, type OperationName } from './operations.ts';
import { apiOf, methodOf } from './remote-oka.ts';

/** With the second that asking a silent server again takes, reading answers within five seconds. */
const READING_PATIENCE_MS = 2_500;

/** Calls a method of the API. Everything that works for the call knows whether it only reads. */
export function callOperation(
  api: OkaApi,
  name: OperationName,
  input: readonly unknown[],
  { warn, patienceMs = READING_PATIENCE_MS }: OperationScope = {},
): unknown {
  const scope = {
    ...(OPERATIONS[name].reads ? { patienceMs } : {}),
    ...(warn === undefined ? {} : { warn }),
  };
  const result = inOperation(scope, () => methodOf(api, name)(...input));
  return isIterable(result) ? scopedItems(result, scope) : result;
}

/** The same API, whose operations know about themselves. */
export function scopedOka(api: OkaApi, scope?: OperationScope): OkaApi {
  return apiOf(
    (name) =>
      (...input) =>
        callOperation(api, name, input, scope),
  );
}

/**
 * The same API, but reading uses `openCopy`, what this machine knows, from when a server is found to be away. Where that does
 * not have the answer, the first error says what to do.
 */
export function knownOka(api: OkaApi, openCopy: (why: string) => Promise<OkaApi>): OkaApi {
  let away: { readonly error: Error; readonly copy: Promise<OkaApi> } | undefined;
  const known = async (name: OperationName, input: readonly unknown[]): Promise<unknown> => {
    if (away === undefined)
      try {
        return await methodOf(api, name)(...input);
      } catch (error) {
        if (!isOkaError(error, 'ledger.unavailable')) throw error;
        away ??= { error, copy: openCopy(error.message) };
      }
    const { error, copy } = away;
    return Promise.resolve(methodOf(await copy, name)(...input)).catch(() => Promise.reject(error));
  };
  const close = async (): Promise<void> => {
    await Promise.all([api.close(), away?.copy.then((copy) => copy.close())]);
  };
  const reading = apiOf((name, { kind, reads }) =>
    reads && kind !== 'items' ? (...input) => known(name, input) : methodOf(api, name),
  );
  return { ...reading, close };
}

async function* scopedItems<T>(items: AsyncIterable<T>, scope: OperationScope): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await inOperation(scope, () => iterator.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

export type { Warning };
