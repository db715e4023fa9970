import { describe, expect, it } from 'vitest';
import { conversationWindow } from './conversation-window.ts';

const messages = (count: number, text = 'four') => Array.from({ length: count }, (_, i) => ({ id: i, text }));

describe('conversationWindow', () => {
  it('keeps the newest twenty messages, in order', () => {
    const { messages: kept, dropped, tokens } = conversationWindow(messages(30));
    expect(kept.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, i) => i + 10));
    expect({ dropped, tokens }).toEqual({ dropped: 10, tokens: 20 });
  });

  it('keeps as many whole messages as fit the token limit', () => {
    const window = conversationWindow(messages(10, 'x'.repeat(40)), { tokens: 35 });
    expect(window.messages).toEqual(messages(10, 'x'.repeat(40)).slice(7));
    expect(window).toMatchObject({ tokens: 30, dropped: 7 });
  });

  it('keeps the newest message even if it alone exceeds the limit', () => {
    const window = conversationWindow(messages(3, 'x'.repeat(200_000)));
    expect(window.messages).toEqual([{ id: 2, text: 'x'.repeat(200_000) }]);
  });

  it('does not skip a large message to reach an older small one', () => {
    const said = [{ text: 'small' }, { text: 'x'.repeat(400) }, { text: 'new' }];
    expect(conversationWindow(said, { tokens: 50 }).messages).toEqual([{ text: 'new' }]);
  });

  it('is empty for an empty conversation', () => {
    expect(conversationWindow([])).toEqual({ messages: [], tokens: 0, dropped: 0 });
  });
});
