import type { Json } from '../kernel/index.ts';

/**
 * A call as it is sent: arguments as JSON, and beside them where a function, a signal or nothing stood. Places are written
 * as `0` or `0.onEvent`. They are kept apart so that no content can pass for one.
 */
export interface CallBody {
  readonly arguments: readonly Json[];
  readonly listeners: readonly string[];
  readonly signals: readonly string[];
  readonly absent: readonly string[];
}

/** One line of what a daemon sends back. The last one is an answer, an error or the end of the items. */
export type CallLine =
  | { readonly heard: string; readonly arguments: readonly Json[] }
  | { readonly item: Json }
  | { readonly answer?: Json; readonly done: true }
  | { readonly error: WireError };

/** An error as it is sent. */
export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, Json>>;
}

type Listener = (...input: Json[]) => void;

/** A call that is ready to be sent, and what stays here: who listens, and what may abort it. */
export interface PackedCall {
  readonly body: CallBody;
  readonly listeners: ReadonlyMap<string, Listener>;
  readonly signals: readonly AbortSignal[];
}

/** Takes the functions and signals out of arguments. They stand in an argument itself or in a field of one. */
export function packCall(input: readonly unknown[]): PackedCall {
  const listeners = new Map<string, Listener>();
  const signals: AbortSignal[] = [];
  const signalPlaces: string[] = [];
  const absent: string[] = [];
  const place = (value: unknown, at: string): Json => {
    if (typeof value === 'function') listeners.set(at, value as Listener);
    else if (value instanceof AbortSignal) {
      signals.push(value);
      signalPlaces.push(at);
    } else if (value === undefined) absent.push(at);
    else return value as Json;
    return null;
  };
  const values = input.map((value, i) =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([key, field]) => [key, place(field, `${i}.${key}`)]))
      : place(value, String(i)),
  );
  return {
    body: { arguments: values, listeners: [...listeners.keys()], signals: signalPlaces, absent },
    listeners,
    signals,
  };
}

/** Puts functions and a signal back where they stood. */
export function unpackCall(
  body: CallBody,
  to: { readonly hear: (place: string, input: readonly Json[]) => void; readonly signal: AbortSignal },
): readonly unknown[] {
  const values: unknown[] = body.arguments.map((value) => (isRecord(value) ? { ...value } : value));
  const put = (places: readonly string[], make: (place: string) => unknown): void => {
    for (const place of places) {
      const [index = '', field] = place.split(/\.(.*)/s);
      // A place that is not among the arguments would make the list of them as long as it says.
      if (!Object.hasOwn(values, index)) continue;
      const holder = values[Number(index)];
      if (field === undefined) values[Number(index)] = make(place);
      else if (isRecord(holder))
        Object.defineProperty(holder, field, { value: make(place), enumerable: true, writable: true });
    }
  };
  put(
    body.listeners,
    (place) =>
      (...input: Json[]) =>
        to.hear(place, input),
  );
  put(body.signals, () => to.signal);
  put(body.absent, () => undefined);
  return values;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof AbortSignal) &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value))
  );
}
