const HOUR_MS = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };

/** The form of a duration, for error messages. */
export const DURATION_FORM = 'a whole number of hours, days or weeks, as in 12h, 90d or 6w';

/** Parses `12h`, `90d` or `6w` to milliseconds; undefined for anything else. The unit is required, so that `90` is not 90 ms. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = /^([1-9]\d{0,5})([hdw])$/.exec(text) ?? [];
  return amount === undefined || unit === undefined ? undefined : Number(amount) * (UNITS[unit] as number);
}
