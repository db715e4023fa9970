// Owns: the client of a daemon, with the same methods as Oka in this process. Does not own: the connection.
import { idOfKey, isOkaError, type Json, OkaError, type Warning } from '../kernel/index.ts';
import type { OkaApi } from './oka-api.ts';
import { OPERATIONS, type Operation, type OperationName } from './operations.ts';
import { type CallBody, type CallLine, packCall, type WireError } from './wire.ts';

/** A connection to a daemon. */
export interface DaemonLink {
  /** Sends a call and returns the response line by line. Aborting cancels the call; the daemon still answers. */
  call(operation: OperationName, body: CallBody, abort: AbortSignal): AsyncIterable<CallLine>;
  /** Disconnects from open calls; the daemon continues them. */
  close(): void;
}

type Method = (...input: unknown[]) => unknown;

/** The API of a daemon. Operations of the kind `here` run in this process, on an API that is opened on first use. */
export function remoteOka(
  link: DaemonLink,
  openHere: () => Promise<OkaApi>,
  onWarning: (warning: Warning) => void,
): OkaApi {
  const released = new AbortController();
  let here: Promise<OkaApi> | undefined;
  const api = apiOf((name, { kind }) =>
    kind === 'here'
      ? async (...input) => {
          here ??= openHere();
          return methodOf(await here, name)(...input);
        }
      : (...input) => {
          const lines = call(link, name, input, { released: released.signal, onWarning });
          return kind === 'items'
            ? itemsOf(lines)
            : answerOf(lines, name).catch(explainLostStart(name, input));
        },
  );
  const local: Pick<OkaApi, 'release' | 'close'> = {
    release: async () => {
      released.abort();
      await (await here)?.release();
    },
    close: async () => {
      link.close();
      await (await here)?.close();
    },
  };
  return { ...api, ...local };
}

/** The method of an API with a dotted name. */
export function methodOf(api: OkaApi, name: OperationName): Method {
  const path = name.split('.');
  const last = path.pop() as string;
  const holder = path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], api);
  return (...input) => (holder as Record<string, Method>)[last]?.(...input);
}

/** Builds an API method by method. */
export function apiOf(methodFor: (name: OperationName, operation: Operation) => Method): OkaApi {
  const api: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries(OPERATIONS) as [OperationName, Operation][]) {
    const path = name.split('.');
    const last = path.pop() as string;
    let holder = api;
    for (const key of path) {
      holder[key] ??= {};
      holder = holder[key] as Record<string, unknown>;
    }
    holder[last] = methodFor(name, operation);
  }
  return api as unknown as OkaApi;
}

type Told = { readonly heard: string } | { readonly warning: Warning } | { readonly error: WireError };

/** Sends a call, calls the listeners, and yields all other lines. */
async function* call(
  link: DaemonLink,
  name: OperationName,
  input: readonly unknown[],
  { released, onWarning }: { released: AbortSignal; onWarning: (warning: Warning) => void },
): AsyncGenerator<Exclude<CallLine, Told>> {
  const { body, listeners, signals } = packCall(input);
  for await (const line of link.call(name, body, AbortSignal.any([released, ...signals]))) {
    if ('heard' in line) listeners.get(line.heard)?.(...line.arguments);
    else if ('warning' in line) onWarning(line.warning);
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
    `The daemon exited before it answered ${name}. Its work is recorded. See: oka runs list.`,
    { data: { operation: name } },
  );
}

/** Where the key of a start is in its input. */
const KEYS: Partial<Record<OperationName, (input: readonly unknown[]) => unknown>> = {
  do: keyIn,
  'graphs.run': keyIn,
  'graphs.replay': keyIn,
  'tools.call': keyIn,
  'runs.fork': (input) => input[4],
};

function keyIn(input: readonly unknown[]): unknown {
  return (Object.assign({}, ...input.filter(isObject)) as { key?: unknown }).key;
}

/** A daemon that was lost while it started a run may have recorded it. A retry with the same key gets the same run. */
function explainLostStart(name: OperationName, input: readonly unknown[]): (error: unknown) => never {
  return (error) => {
    const key = KEYS[name]?.(input);
    if (typeof key !== 'string' || !isOkaError(error, 'daemon.unreachable')) throw error;
    const message = `It is not known whether run ${idOfKey(key)} was started, because the daemon was lost. Start it again with --key ${JSON.stringify(key)}: if it was started, you get the same run.`;
    throw new OkaError('engine.start_unknown', message, { data: { run: idOfKey(key), key }, cause: error });
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

async function* itemsOf(lines: Lines): AsyncGenerator<Json> {
  for await (const line of lines) {
    if ('done' in line) return;
    yield line.item;
  }
}
