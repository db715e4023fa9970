// Texts for numbers and times. Units are always written out or have their usual sign.

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `850 ms`, `4.2 s`, `3 min 12 s`, `2 h 5 min`, `3 d 4 h`. */
export function formatDuration(ms: number): string {
  const length = Math.max(0, ms);
  if (length < SECOND) return `${Math.round(length)} ms`;
  if (length < 10 * SECOND) return `${(length / SECOND).toFixed(1)} s`;
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return pair(length, MINUTE, 'min', SECOND, 's');
  if (length < DAY) return pair(length, HOUR, 'h', MINUTE, 'min');
  return pair(length, DAY, 'd', HOUR, 'h');
}

function pair(ms: number, unit: number, name: string, smaller: number, smallerName: string): string {
  const whole = Math.floor(ms / unit);
  const rest = Math.floor((ms % unit) / smaller);
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${smallerName}`;
}

/** `just now`, `12 s ago`, `3 min ago`, `in 9 h`, `5 d ago`. */
export function formatRelative(at: number, now: number): string {
  const distance = Math.abs(now - at);
  if (distance < 5 * SECOND) return at > now ? 'now' : 'just now';
  const [unit, name] =
    distance < MINUTE
      ? [SECOND, 's']
      : distance < HOUR
        ? [MINUTE, 'min']
        : distance < DAY
          ? [HOUR, 'h']
          : [DAY, 'd'];
  const amount = `${Math.floor(distance / (unit as number))} ${name}`;
  return at > now ? `in ${amount}` : `${amount} ago`;
}

/** `2026-11-17 09:41:07`, in the time zone of the browser. */
export function formatExact(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Dollars: cents from one dollar, else as many digits as the amount needs to be seen. */
export function formatMoney(usd: number): string {
  if (usd === 0 || Math.abs(usd) >= 1) return `$${usd.toFixed(2)}`;
  if (Math.abs(usd) >= 0.0995) return `$${usd.toFixed(2)}`;
  return Math.abs(usd) < 0.0001 ? '<$0.0001' : `$${usd.toFixed(Math.abs(usd) >= 0.00995 ? 3 : 4)}`;
}

/** `1,024`. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}

/** `980`, `9.2k`, `1.4M`: for tokens, where the size matters and not the last digit. */
export function formatTokens(value: number): string {
  if (value < 1_000) return String(value);
  if (value < 999_950) return `${(value / 1_000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

/** `512 B`, `3.4 KB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit++;
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export { shortId } from '../../../src/api/short-id.ts';

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
