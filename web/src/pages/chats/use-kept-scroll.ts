import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

interface KeptScroll {
  readonly frame: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly isAtEnd: boolean;
  readonly toEnd: () => void;
}

/** Near enough to the end to stay there. */
const END_PX = 40;
/** Older messages are read before the start is reached. */
const START_PX = 200;

/** Keeps the place of a person who reads: the end while they are there, otherwise what they see when older messages come above. */
export function useKeptScroll(firstKey: number | undefined, onNearStart: () => void): KeptScroll {
  const frame = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const follows = useRef(true);
  const before = useRef({ firstKey, height: 0 });
  const latest = useRef(onNearStart);
  useEffect(() => {
    latest.current = onNearStart;
  });
  const toEnd = useCallback(() => {
    follows.current = true;
    setIsAtEnd(true);
    if (frame.current) frame.current.scrollTop = frame.current.scrollHeight;
  }, []);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const { firstKey: oldKey, height } = before.current;
    const isOlderAbove = oldKey !== undefined && firstKey !== undefined && firstKey < oldKey;
    if (isOlderAbove && !follows.current) element.scrollTop += element.scrollHeight - height;
  }, [firstKey]);
  useLayoutEffect(() => {
    before.current = { firstKey, height: frame.current?.scrollHeight ?? 0 };
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null || content.current === null) return;
    const onScroll = (): void => {
      const rest = element.scrollHeight - element.scrollTop - element.clientHeight;
      follows.current = rest < END_PX;
      setIsAtEnd(follows.current);
      if (element.scrollTop < START_PX && !follows.current) latest.current();
    };
    const stay = new ResizeObserver(() => {
      if (follows.current) element.scrollTop = element.scrollHeight;
    });
    stay.observe(content.current);
    stay.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      stay.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  return { frame, content, isAtEnd, toEnd };
}
