import type { Context } from 'hono';
import { explainSystemError, OkaError } from '../../api/index.ts';

// TEMPORARY: until src/api/problems.ts is merged.
function toProblem(error: unknown): {
  status: number;
  type: string;
  title: string;
  detail: string;
  code: string;
} {
  const { code, message } =
    error instanceof OkaError ? error : { code: 'cli.unexpected', message: String(error) };
  return {
    status: code === 'http.bad_request' ? 400 : 500,
    type: 'about:blank',
    title: code,
    detail: message,
    code,
  };
}

/** The codes of the web server and their HTTP status. */
const STATUS: Readonly<Record<string, number>> = {
  'http.unauthorized': 401,
  'http.link_expired': 401,
  'http.forbidden': 403,
  'http.browser_only': 403,
  'http.not_found': 404,
  'http.method_not_allowed': 405,
  'http.too_large': 413,
  'http.not_json': 415,
  'http.too_many_streams': 503,
  'http.too_many_calls': 503,
};

/** Answers with an error as problem+json. */
export function problem(c: Context, error: unknown): Response {
  const known = error instanceof OkaError ? error : (explainSystemError(error) ?? error);
  const found = toProblem(known);
  const status = (known instanceof OkaError && STATUS[known.code]) || found.status;
  const { allow } = known instanceof OkaError ? known.data : {};
  if (typeof allow === 'string') c.header('allow', allow);
  if (status === 401) c.header('www-authenticate', 'Bearer');
  c.header('cache-control', 'no-store');
  return c.body(JSON.stringify({ ...found, status }), status as 400, {
    'content-type': 'application/problem+json',
  });
}
