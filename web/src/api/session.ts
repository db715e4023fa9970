import { createStore } from '../state/store.ts';
import { problemOf } from './problem.ts';

export interface Session {
  /** The name of the workspace. */
  readonly workspace: string;
  readonly folder: string;
  readonly version: string;
}

/** Becomes true when the server no longer knows the session of this browser. */
export const sessionExpired = createStore(false);

export async function readSession(): Promise<Session> {
  const response = await fetch('/v1/session');
  if (response.status === 401) sessionExpired.set(true);
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw problemOf(response.status, body);
  return body as Session;
}
