import type { Context } from 'hono';
import { isOkaError, toProblem } from '../../api/index.ts';

/** Answers with an error as problem+json. */
export function problem(c: Context, error: unknown): Response {
  const found = toProblem(error);
  if (isOkaError(error) && typeof error.data['allow'] === 'string') c.header('allow', error.data['allow']);
  if (found.status === 401) c.header('www-authenticate', 'Bearer');
  c.header('cache-control', 'no-store');
  return c.body(JSON.stringify(found), found.status as 400, { 'content-type': 'application/problem+json' });
}
