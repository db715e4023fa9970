// TEMPORARY: the types of src/api/http-routes.ts until that branch is merged.
import type { OperationName } from '../../api/index.ts';

export interface HttpRoute {
  readonly operation: OperationName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly access: 'token' | 'browser';
  readonly background?: true;
}
export interface HttpRequestParts {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: unknown;
}
