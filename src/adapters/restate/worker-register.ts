// Owns: which workers of a project may take work, as a pure function of what they announced. Does not own: where it is stored.
// I1 Workers that take work at the same time have the same fingerprint.
// I2 A worker takes work only for `LOST_MS` after it was told that it may, so that a lost one stops without a message.
import type { WorkerView } from '../../engine/index.ts';

export const HEARTBEAT_MS = 5_000;
/** A worker that was not heard of for this time is lost. */
export const LOST_MS = 20_000;
const LISTED_MS = 3_600_000;

/** What has to be the same for all workers of a project, so that a run gets the same answers on each of them. */
export type Fingerprint = Readonly<Record<string, string>>;

export interface Announcement {
  readonly id: string;
  /** Where it listens, and where Restate reaches it. */
  readonly url: string;
  readonly address: string;
  readonly version: string;
  readonly fingerprint: Fingerprint;
  /** Begins when the workers with another fingerprint have stopped, and makes them stop. */
  readonly replaces?: boolean;
  /** It takes no more work; `left` when it has finished. */
  readonly leaving?: 'draining' | 'left';
}

type RegisteredState = 'alive' | 'draining' | 'refused' | 'waiting';

export interface RegisteredWorker extends Omit<Announcement, 'replaces' | 'leaving'> {
  readonly state: RegisteredState;
  readonly since: number;
  readonly seenAt: number;
}

export interface Verdict {
  readonly state: RegisteredState;
  /** What other workers have otherwise, such as `policy`. */
  readonly differs: readonly string[];
}

/** The register after an announcement, and what the worker may do. */
export function announce(
  register: readonly RegisteredWorker[],
  said: Announcement,
  now: number,
): { readonly register: readonly RegisteredWorker[]; readonly verdict: Verdict } {
  const { replaces = false, leaving, ...worker } = said;
  const others = register.filter((one) => one.id !== said.id && isListed(one, said, now));
  const differing = others.filter((one) => isLive(one, now) && differencesOf(one, said).length > 0);
  const working = differing.filter(({ state }) => state === 'alive' || state === 'draining');
  const known = register.find(({ id }) => id === said.id);
  // One that works already has replaced whom it was to replace; the next may replace it.
  const isReplacing = replaces && known?.state !== 'alive' && known?.state !== 'draining';
  const isReplaced = !isReplacing && differing.some(({ state }) => state === 'waiting');
  const state: RegisteredState =
    leaving !== undefined || isReplaced
      ? 'draining'
      : working.length === 0
        ? 'alive'
        : isReplacing
          ? 'waiting'
          : 'refused';
  const since = known?.state === state ? known.since : now;
  const differs = [...new Set(working.flatMap((one) => differencesOf(one, said)))];
  return {
    register: leaving === 'left' ? others : [...others, { ...worker, state, since, seenAt: now }],
    verdict: { state, differs },
  };
}

export function viewWorkers(register: readonly RegisteredWorker[], now: number): readonly WorkerView[] {
  return register.map((one) => {
    const { id, url, address, version, state, since, seenAt } = one;
    const isLost = state !== 'refused' && !isLive(one, now);
    return { id, url, address, version, ...(isLost ? { state: 'lost', since: seenAt } : { state, since }) };
  });
}

function isLive({ seenAt }: RegisteredWorker, now: number): boolean {
  return now - seenAt < LOST_MS;
}

/** A lost worker is listed for a while; one whose own address another worker has taken is gone. */
function isListed(one: RegisteredWorker, { url, address }: Announcement, now: number): boolean {
  if (one.address === address && address === url) return false;
  return isLive(one, now) || (one.state === 'alive' && now - one.seenAt < LISTED_MS);
}

function differencesOf(
  { fingerprint: a }: RegisteredWorker,
  { fingerprint: b }: Announcement,
): readonly string[] {
  return Object.keys({ ...a, ...b }).filter((name) => a[name] !== b[name]);
}
