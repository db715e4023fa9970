import createClient from 'openapi-fetch';
import { problemOf, toProblem } from './problem.ts';
import type { paths } from './schema.ts';
import { sessionExpired } from './session.ts';

/** The typed client. Every answer that is not a success is thrown as a Problem. */
export const client = createClient<paths>();

client.use({
  async onResponse({ response }) {
    if (response.ok) return;
    if (response.status === 401) sessionExpired.set(true);
    const body: unknown = await response.json().catch(() => undefined);
    throw problemOf(response.status, body);
  },
  onError({ error }) {
    // An aborted request is no failure: Query cancels what no page needs any more.
    if (error instanceof DOMException && error.name === 'AbortError') return error;
    return toProblem(error);
  },
});
