import type { ReactNode } from 'react';

/** The time zone of the browser, in which every time on this page is shown. */
export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export function ZoneNote(): ReactNode {
  return <p className="small muted">Times in your zone, {browserZone()}.</p>;
}
