// Owns: who a request comes from: the token of programs, one-time links, and the sessions of browsers that used one.
//
// Secrets are compared by their hashes: how long a comparison takes tells nothing about a secret.
import { type Clock, digestOf, type EpochMs, OkaError, type Random } from '../../kernel/index.ts';
import type { StoredSession, WebState } from './web-state.ts';

const SECRET_BYTES = 32;
export const LINK_LIFETIME_MS = 600_000;
export const SESSION_LIFETIME_MS = 30 * 86_400_000;
/** The oldest ones are dropped first. */
const MAX_SESSIONS = 100;
const MAX_LINKS = 100;

/** `token` is a program with the token, `browser` a browser that was opened with a one-time link. */
export type Caller = 'token' | 'browser';

export class Sessions {
  readonly #state: Pick<WebState, 'token' | 'sessions' | 'keepSessions'>;
  readonly #clock: Clock;
  readonly #random: Random;
  /** The hash of each unused code, and when it expires. */
  readonly #links = new Map<string, EpochMs>();

  constructor(parts: {
    readonly state: Pick<WebState, 'token' | 'sessions' | 'keepSessions'>;
    readonly clock: Clock;
    readonly random: Random;
  }) {
    this.#state = parts.state;
    this.#clock = parts.clock;
    this.#random = parts.random;
  }

  /** The code of a new one-time link. */
  newLink(): { readonly code: string; readonly expiresAt: EpochMs } {
    const code = this.#random.hex(SECRET_BYTES);
    const expiresAt = this.#clock.now() + LINK_LIFETIME_MS;
    this.#links.set(digestOf(code), expiresAt);
    const [oldest] = this.#links.keys();
    if (oldest !== undefined && this.#links.size > MAX_LINKS) this.#links.delete(oldest);
    return { code, expiresAt };
  }

  /** Exchanges the code of a link for the secret of a new session. A code works once. */
  open(code: string): string {
    const hash = digestOf(code);
    const expiresAt = this.#links.get(hash);
    this.#links.delete(hash);
    const now = this.#clock.now();
    if (expiresAt === undefined || expiresAt <= now)
      throw new OkaError(
        'http.link_expired',
        'This link was used before or has expired. Get a new one with: oka web',
      );
    const secret = this.#random.hex(SECRET_BYTES);
    const current = this.#state.sessions.filter((session) => session.expiresAt > now);
    const added: StoredSession = { hash: digestOf(secret), expiresAt: now + SESSION_LIFETIME_MS };
    this.#state.keepSessions([...current, added].slice(-MAX_SESSIONS));
    return secret;
  }

  isSession(secret: string): boolean {
    const hash = digestOf(secret);
    const now = this.#clock.now();
    return this.#state.sessions.some((session) => session.expiresAt > now && session.hash === hash);
  }

  isToken(token: string): boolean {
    return digestOf(token) === digestOf(this.#state.token);
  }
}
