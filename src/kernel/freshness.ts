import type { EpochMs } from './ports.ts';

/** What rests on a path that could not be compared with the disk: its state is as old as the last scan, if there was one. */
export interface Unchecked {
  readonly since?: EpochMs;
}

/** What is known about text that rests on a path: neither field if it is as the path is now. */
export interface Freshness {
  /** The path has changed since. */
  readonly stale?: true;
  readonly unchecked?: Unchecked;
}

/** The state in words, for people and models; empty if it is fresh. */
export function describeFreshness({ stale, unchecked }: Freshness): string {
  if (stale) return 'stale: the file changed after this was written';
  return unchecked === undefined ? '' : describeUnchecked(unchecked.since);
}

export function describeUnchecked(since: EpochMs | undefined): string {
  const time = since === undefined ? 'this was written' : new Date(since).toISOString();
  return `not checked since ${time}`;
}
