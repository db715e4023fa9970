import { useEffect, useState } from 'react';
import type { Message } from './use-messages.ts';

interface LastSeen {
  /** The message above which the marker is. */
  readonly firstNew: number | undefined;
  /** How many messages have come since the person was at the end. */
  readonly unseen: number;
}

/** Remembers in this browser up to which message a person has read a conversation. */
export function useLastSeen(
  conversation: string,
  messages: readonly Pick<Message, 'id' | 'from'>[],
  isAtEnd: boolean,
): LastSeen {
  const key = `oka.seen.${conversation}`;
  const [atOpening] = useState(() => Number(localStorage.getItem(key) ?? Number.NaN));
  const [seen, setSeen] = useState(messages.at(-1)?.id ?? -1);
  const newest = messages.at(-1)?.id ?? -1;
  useEffect(() => {
    const mark = (): void => {
      if (!isAtEnd || document.visibilityState !== 'visible') return;
      setSeen(newest);
      localStorage.setItem(key, String(newest));
    };
    mark();
    document.addEventListener('visibilitychange', mark);
    return () => document.removeEventListener('visibilitychange', mark);
  }, [isAtEnd, newest, key]);
  const isNew = ({ id, from }: Pick<Message, 'id' | 'from'>): boolean => id > atOpening && from !== 'user';
  return {
    firstNew: messages.find(isNew)?.id,
    unseen: messages.filter(({ id }) => id > seen).length,
  };
}
