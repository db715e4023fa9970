import type { OkaConfig } from '../../config/index.ts';
import type { FindPools } from '../../engine/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

/** The limits of the day and of a conversation, as configured. */
export function spendingPools(
  { dailyLimits, conversationLimits }: Pick<OkaConfig, 'dailyLimits' | 'conversationLimits'>,
  ledger: DayLedger,
): FindPools {
  const limitsDay = Object.keys(dailyLimits).length > 0;
  const limitsConversation = Object.keys(conversationLimits).length > 0;
  return ({ group }, now) => [
    ...(limitsDay ? [{ name: `day/${dateAt(dayStart(now, ledger), ledger)}`, limits: dailyLimits }] : []),
    ...(limitsConversation && group !== undefined
      ? [{ name: `conversation/${group}`, limits: conversationLimits }]
      : []),
  ];
}

type DayLedger = Pick<OpenLedger, 'shared'>;

/**
 * When the day of the limits began: at midnight of this machine. The machines that share a ledger on a server may be in
 * several time zones, so that their day begins at midnight UTC.
 */
export function dayStart(now: number, { shared }: DayLedger): number {
  const date = new Date(now);
  return shared === undefined ? date.setHours(0, 0, 0, 0) : date.setUTCHours(0, 0, 0, 0);
}

function dateAt(start: number, { shared }: DayLedger): string {
  const date = new Date(start);
  if (shared !== undefined) return date.toISOString().slice(0, 10);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
