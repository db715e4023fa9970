import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { ChatMessageView } from '../../api/index.ts';
import { type FollowParts, followChat } from './follow-chat.ts';

test('the streamed text of an answer comes before its message', async () => {
  const message: ChatMessageView = { id: 1, at: 1, from: 'arya', content: 'Agreed.' };
  let messages: readonly ChatMessageView[] = [];
  let hearWords: Parameters<FollowParts['listen']>[0] = () => undefined;
  let hearActivity: Parameters<FollowParts['listenToActivity']>[0] = () => undefined;
  const following = followChat(
    {
      clock: new ManualClock(),
      records: { openIn: async () => [{ run: 'r1', agent: 'arya' }] } as unknown as FollowParts['records'],
      view: async () => {
        if (messages.length === 0) hearActivity({ run: 'r1', kind: 'model', model: 'm' });
        return { messages, notices: [] };
      },
      listen: (hear) => {
        hearWords = hear;
        return () => undefined;
      },
      listenToActivity: (hear) => {
        hearActivity = hear;
        return () => undefined;
      },
      watch: () => () => undefined,
    },
    { conversation: 'room', activities: true },
  );
  const next = async (): Promise<unknown> => (await following.next()).value;
  expect(await next()).toEqual({ kind: 'activity', from: 'arya', model: 'm' });
  // The model writes and its answer is stored before the follower reads again.
  hearWords({ run: 'r1', text: 'Agreed.' });
  messages = [message];
  expect(await next()).toEqual({ kind: 'words', from: 'arya', text: 'Agreed.' });
  expect(await next()).toEqual({ kind: 'message', message });
  await following.return(undefined);
});
