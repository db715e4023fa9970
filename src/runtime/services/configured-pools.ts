import type { OkaConfig } from '../../config/index.ts';
import type { FindPools } from '../../engine/index.ts';

/** The limits of the day and of a conversation, as configured. */
export function spendingPools({
  dailyLimits,
  conversationLimits,
}: Pick<OkaConfig, 'dailyLimits' | 'conversationLimits'>): FindPools {
  const limitsDay = Object.keys(dailyLimits).length > 0;
  const limitsConversation = Object.keys(conversationLimits).length > 0;
  return ({ group }, now) => [
    ...(limitsDay ? [{ name: `day/${localDate(now)}`, limits: dailyLimits }] : []),
    ...(limitsConversation && group !== undefined
      ? [{ name: `conversation/${group}`, limits: conversationLimits }]
      : []),
  ];
}

/** The date in the time zone of this machine. */
function localDate(now: number): string {
  const date = new Date(now);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
