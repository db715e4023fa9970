import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import type { Problem } from '../../api/problem.ts';
import { type Answer, apiKey, readApi } from '../../api/query.ts';

const PATH = '/v1/chats/{conversation}/messages';
const PAGE = 50;

type View = Answer<typeof PATH>;
export type Message = View['messages'][number];
export type Notice = View['notices'][number];
type Pages = InfiniteData<View, number | undefined>;

/** Messages page by page, the newest page first. Events of the conversation read the loaded pages again. */
export function useMessages(conversation: string): UseInfiniteQueryResult<Pages, Problem> {
  const path = { conversation };
  return useInfiniteQuery<View, Problem, Pages, readonly unknown[], number | undefined>({
    queryKey: [...apiKey(PATH, { params: { path } }), 'older'],
    queryFn: ({ pageParam }) =>
      readApi(PATH, {
        params: { path, query: { limit: PAGE, ...(pageParam !== undefined && { before: pageParam }) } },
      }),
    initialPageParam: undefined,
    getNextPageParam: (page) => (page.messages.length < PAGE ? undefined : page.messages[0]?.id),
  });
}

/** All loaded messages, the oldest first, and the notices. */
export function flatten(pages: readonly View[]): View {
  const oldestFirst = pages.toReversed();
  return {
    messages: oldestFirst.flatMap(({ messages }) => messages),
    notices: oldestFirst.flatMap(({ notices }) => notices),
  };
}
