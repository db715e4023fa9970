// Hooks for the typed client: useApi reads, useApiPages reads lists page by page, useAction writes.

import {
  type InfiniteData,
  keepPreviousData,
  QueryClient,
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type { FetchOptions, FetchResponse } from 'openapi-fetch';
import { showProblem } from '../state/toasts.ts';
import { client } from './client.ts';
import { type Problem, toProblem } from './problem.ts';
import type { paths } from './schema.ts';

type Method = 'get' | 'post' | 'put' | 'delete';
type Json = `${string}/${string}`;
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: infer Operation }
    ? [Operation] extends [undefined]
      ? never
      : P
    : never;
}[keyof paths];
type OperationOf<P extends keyof paths, M extends Method> = paths[P] extends {
  // biome-ignore lint/suspicious/noExplicitAny: openapi-fetch describes an operation as a record of anything.
  [K in M]: infer Operation extends Record<string | number, any>;
}
  ? Operation
  : never;
type InitOf<P extends keyof paths, M extends Method> = Pick<
  FetchOptions<OperationOf<P, M>>,
  Extract<keyof FetchOptions<OperationOf<P, M>>, 'params' | 'body'>
>;

/** The answer of a route, such as `Answer<'/v1/runs'>`. */
export type Answer<P extends keyof paths, M extends Method = 'get'> = NonNullable<
  FetchResponse<OperationOf<P, M>, Record<never, never>, Json>['data']
>;
/** What a route takes: path and query parameters, and the body. */
export type Input<P extends keyof paths, M extends Method = 'get'> = InitOf<P, M>;

/** The key of a read in the cache. Live updates find reads by it. */
export function apiKey<P extends PathOf<'get'>>(path: P, input?: Input<P>): QueryKey {
  return input === undefined ? [path] : [path, input];
}

async function request(method: Method, path: string, init: object): Promise<unknown> {
  const call = client.request as (method: Method, path: string, init: object) => Promise<{ data?: unknown }>;
  const { data } = await call(method, path, init);
  return data;
}

/** Reads once, outside of a component. */
export const readApi = async <P extends PathOf<'get'>>(path: P, input?: Input<P>): Promise<Answer<P>> =>
  (await request('get', path, input ?? {})) as Answer<P>;

interface ReadOptions {
  readonly enabled?: boolean;
  /** Shows the previous answer while another input loads. */
  readonly keepPrevious?: boolean;
}

export function useApi<P extends PathOf<'get'>>(
  path: P,
  input?: Input<P>,
  { enabled = true, keepPrevious = false }: ReadOptions = {},
): UseQueryResult<Answer<P>, Problem> {
  return useQuery<Answer<P>, Problem>({
    queryKey: apiKey(path, input),
    queryFn: async ({ signal }) => (await request('get', path, { ...input, signal })) as Answer<P>,
    enabled,
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  });
}

/** A list with a cursor, such as the runs. */
type Paged = { readonly items: readonly unknown[]; readonly next?: string };
type PagedPath = { [P in PathOf<'get'>]: Answer<P> extends Paged ? P : never }[PathOf<'get'>];

interface PagesOptions extends Pick<ReadOptions, 'enabled'> {
  /** `own`: the page follows the ledger itself instead of reading all pages again. */
  readonly live?: 'ledger' | 'own';
}

export function pagesKey<P extends PathOf<'get'>>(path: P, input?: Input<P>): QueryKey {
  return [...apiKey(path, input), 'pages'];
}

export function useApiPages<P extends PagedPath>(
  path: P,
  input: Input<P>,
  { enabled = true, live = 'ledger' }: PagesOptions = {},
): UseInfiniteQueryResult<InfiniteData<Answer<P>, string | undefined>, Problem> {
  return useInfiniteQuery<
    Answer<P>,
    Problem,
    InfiniteData<Answer<P>, string | undefined>,
    QueryKey,
    string | undefined
  >({
    queryKey: pagesKey(path, input),
    queryFn: async ({ signal, pageParam }) =>
      (await request('get', path, { ...withCursor(input, pageParam), signal })) as Answer<P>,
    initialPageParam: undefined,
    getNextPageParam: (page) => (page as unknown as Paged).next,
    enabled,
    meta: { live },
  });
}

function withCursor(input: object, cursor: string | undefined): object {
  const { params = {} } = input as { params?: { query?: object } };
  return {
    ...input,
    params: { ...params, query: { ...params.query, ...(cursor !== undefined && { cursor }) } },
  };
}

interface ActionOptions<Result> {
  readonly onDone?: (result: Result) => void;
  /** By default a toast shows the problem. */
  readonly onProblem?: (problem: Problem) => void;
}

/** A write. Events of the ledger refresh what it changes. */
export function useAction<M extends Exclude<Method, 'get'>, P extends PathOf<M>>(
  method: M,
  path: P,
  { onDone, onProblem = showProblem }: ActionOptions<Answer<P, M>> = {},
): UseMutationResult<Answer<P, M>, Problem, Input<P, M>> {
  return useMutation<Answer<P, M>, Problem, Input<P, M>>({
    mutationFn: async (input) => (await request(method, path, input)) as Answer<P, M>,
    onSuccess: (result) => onDone?.(result),
    onError: (error) => onProblem(toProblem(error)),
  });
}

const MAX_RETRIES = 2;

/** The cache of everything read. A refused request is not repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < MAX_RETRIES && isTemporary(toProblem(error)),
    },
  },
});

const isTemporary = ({ status }: Problem): boolean => status === 0 || status === 503;
