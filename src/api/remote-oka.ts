// Owns: Oka as a daemon offers it, with the same methods as in this process. Does not own: the connection.
import { type Json, OkaError } from '../kernel/index.ts';
import type { OkaApi } from './oka-api.ts';
import { OPERATIONS, type OperationKind, type OperationName } from './operations.ts';
import { type CallBody, type CallLine, packCall, type WireError } from './wire.ts';

/** A connection with a daemon. */
export interface DaemonLink {
  /** Sends a call and gives what comes back, line by line. Aborting asks the daemon to let go of it; it still answers. */
  call(operation: OperationName, body: CallBody, abort: AbortSignal): AsyncIterable<CallLine>;
  /** Leaves every call that is under way; the daemon goes on with them. */
  close(): void;
}

type Method = (...input: unknown[]) => unknown;

/** Oka as a daemon offers it. What only makes sense in this process is asked of `here`, which is opened when it is needed. */
export function remoteOka(link: DaemonLink, openHere: () => Promise<OkaApi>): OkaApi {
  const letGo = new AbortController();
  let here: Promise<OkaApi> | undefined;
  const inThisProcess = (): Promise<OkaApi> => {
    here ??= openHere();
    return here;
  };
  const api = apiOf((name, kind) =>
    kind === 'here'
      ? async (...input) => methodOf(await inThisProcess(), name)(...input)
      : (...input) => {
          const lines = call(link, name, input, letGo.signal);
          return kind === 'items' ? itemsOf(lines) : answerOf(lines, name);
        },
  );
  const local: Pick<OkaApi, 'letGo' | 'close'> = {
    letGo: async () => {
      letGo.abort();
      await (await here)?.letGo();
    },
    close: async () => {
      link.close();
      await (await here)?.close();
    },
  };
  return { ...api, ...local };
}

/** The method of an API that goes by a dotted name. */
export function methodOf(api: OkaApi, name: OperationName): Method {
  const path = name.split('.');
  const last = path.pop() as string;
  const holder = path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], api);
  return (...input) => (holder as Record<string, Method>)[last]?.(...input);
}

/** An API whose methods are made one by one. */
export function apiOf(methodFor: (name: OperationName, kind: OperationKind) => Method): OkaApi {
  const api: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(OPERATIONS) as [OperationName, OperationKind][]) {
    const path = name.split('.');
    const last = path.pop() as string;
    let holder = api;
    for (const key of path) {
      holder[key] ??= {};
      holder = holder[key] as Record<string, unknown>;
    }
    holder[last] = methodFor(name, kind);
  }
  return api as unknown as OkaApi;
}

/** Sends a call, tells listeners what they wait for, and gives all other lines. */
async function* call(
  link: DaemonLink,
  name: OperationName,
  input: readonly unknown[],
  letGo: AbortSignal,
): AsyncGenerator<Exclude<CallLine, { readonly heard: string } | { readonly error: WireError }>> {
  const { body, listeners, signals } = packCall(input);
  for await (const line of link.call(name, body, AbortSignal.any([letGo, ...signals]))) {
    if ('heard' in line) listeners.get(line.heard)?.(...line.arguments);
    else if ('error' in line)
      throw new OkaError(line.error.code as 'daemon.unreachable', line.error.message, {
        data: line.error.data,
      });
    else yield line;
  }
}

type Lines = ReturnType<typeof call>;

async function answerOf(lines: Lines, name: OperationName): Promise<Json | undefined> {
  for await (const line of lines) if ('done' in line) return line.answer;
  throw new OkaError(
    'daemon.unreachable',
    `the daemon ended before it had answered ${name}; what it did is on record. See: oka runs list.`,
    { data: { operation: name } },
  );
}

async function* itemsOf(lines: Lines): AsyncGenerator<Json> {
  for await (const line of lines) {
    if ('done' in line) return;
    yield line.item;
  }
}
