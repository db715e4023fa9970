import { AsyncLocalStorage } from 'node:async_hooks';
import { isOkaError, toFailure } from './errors.ts';

/** A problem that a person should know of although their command was carried out. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** What it is about, if its end is told too: for a passing failure, the code of the error. */
  readonly topic?: string;
  /** Everything that was told about the topic is over. */
  readonly isOver?: true;
}

export type Warn = (message: string, about?: Partial<Omit<Warning, 'message'>>) => void;

/** Warns of a failure. One that passes is about its code, so that it is over when the code is. */
export function warnOf(
  warn: Warn,
  error: unknown,
  message = toFailure(error, BACKGROUND_WARNING).message,
): void {
  const code = isOkaError(error) ? error.code : BACKGROUND_WARNING;
  warn(message, { code, ...(isOkaError(error) && error.transient ? { topic: code } : {}) });
}

/** The code of warnings about work in the background, which need no action now. */
export const BACKGROUND_WARNING = 'workspace.warning';

/** What everything that works for one call of the API knows about the call. */
export interface OperationScope {
  /** How long to wait for a server that does not answer. Missing for calls that change something: they wait as long as it takes. */
  readonly patienceMs?: number;
  readonly warn?: (warning: Warning) => void;
}

const scopes = new AsyncLocalStorage<OperationScope>();

export function inOperation<T>(scope: OperationScope, work: () => T): T {
  return scopes.run(scope, work);
}

export function currentOperation(): OperationScope | undefined {
  return scopes.getStore();
}
