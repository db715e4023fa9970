import { countTokens } from './split-text.ts';

export const WINDOW_LIMITS = { tokens: 20_000, messages: 20 };

/**
 * The newest whole messages that fit the limits, in order. The newest one is always included, even if it exceeds the
 * token limit. `dropped` counts the older messages that are left out.
 */
export function conversationWindow<Message extends { readonly text: string }>(
  messages: readonly Message[],
  limits: Partial<typeof WINDOW_LIMITS> = {},
): { readonly messages: readonly Message[]; readonly tokens: number; readonly dropped: number } {
  const { tokens: maxTokens, messages: maxMessages } = { ...WINDOW_LIMITS, ...limits };
  let tokens = 0;
  let first = messages.length;
  while (first > 0 && messages.length - first < maxMessages) {
    const size = countTokens(messages[first - 1]?.text ?? '');
    if (tokens + size > maxTokens && first < messages.length) break;
    tokens += size;
    first -= 1;
  }
  return { messages: messages.slice(first), tokens, dropped: first };
}
