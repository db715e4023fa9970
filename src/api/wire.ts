import type { Json, Warning } from '../kernel/index.ts';

/**
 * A call on the wire: arguments as JSON, and the places of functions, signals and absent values, such as `0` or `0.onEvent`.
 * Places are separate fields, so that no content can be mistaken for one.
 */
export interface CallBody {
  readonly arguments: readonly Json[];
  readonly listeners: readonly string[];
  readonly signals: readonly string[];
  readonly absent: readonly string[];
}

/** A line of the response. The last one is an answer, an error or the end of the items. */
export type CallLine =
  | { readonly heard: string; readonly arguments: readonly Json[] }
  | { readonly item: Json }
  | { readonly warning: Warning }
  | { readonly answer?: Json; readonly done: true }
  | { readonly error: WireError };

export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, Json>>;
}

type Listener = (...input: Json[]) => void;

/** A call to send, with its local listeners and signals. */
export interface PackedCall {
  readonly body: CallBody;
  readonly listeners: ReadonlyMap<string, Listener>;
  readonly signals: readonly AbortSignal[];
}

/** Separates functions and signals from arguments. Each is an argument or a field of one. */
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

/** Restores functions and signals at their places. */
export function unpackCall(
  body: CallBody,
  to: { readonly onCall: (place: string, input: readonly Json[]) => void; readonly signal: AbortSignal },
): readonly unknown[] {
  const values: unknown[] = body.arguments.map((value) => (isRecord(value) ? { ...value } : value));
  const put = (places: readonly string[], make: (place: string) => unknown): void => {
    for (const place of places) {
      const [index = '', field] = place.split(/\.(.*)/s);
      // A place outside the arguments would extend the list up to it.
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
        to.onCall(place, input),
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
