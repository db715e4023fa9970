// Owns: the file that keeps the port, the token and the sessions of a daemon's web server over restarts.
import { lstatSync } from 'node:fs';
import { readJsonFile, replaceFile } from '../../disk/index.ts';
import type { EpochMs, Random } from '../../kernel/index.ts';

const TOKEN_BYTES = 32;

/** A session of a browser. Its secret is only in the browser's cookie. */
export interface StoredSession {
  /** SHA-256 of the secret. */
  readonly hash: string;
  readonly expiresAt: EpochMs;
}

interface StoredState {
  readonly port: number;
  readonly token: string;
  readonly sessions: readonly StoredSession[];
}

export class WebState {
  readonly #file: string;
  readonly #random: Random;
  #state: StoredState;

  private constructor(file: string, random: Random, state: StoredState) {
    this.#file = file;
    this.#random = random;
    this.#state = state;
  }

  /** Reads the file; starts with a new token and without a port if there is none that only its owner can read. */
  static load(file: string, random: Random): WebState {
    return new WebState(file, random, readState(file) ?? freshState(random));
  }

  get port(): number {
    return this.#state.port;
  }

  get token(): string {
    return this.#state.token;
  }

  get sessions(): readonly StoredSession[] {
    return this.#state.sessions;
  }

  /**
   * Records the port. Another port than before gets a new token and no sessions: the program that has the old port now may
   * have received the cookies of open pages.
   */
  listenOn(port: number): void {
    if (port !== this.port) this.#state = { ...freshState(this.#random), port };
    this.#save();
  }

  keepSessions(sessions: readonly StoredSession[]): void {
    this.#state = { ...this.#state, sessions };
    this.#save();
  }

  #save(): void {
    replaceFile(this.#file, `${JSON.stringify(this.#state)}\n`);
  }
}

function freshState(random: Random): StoredState {
  return { port: 0, token: random.hex(TOKEN_BYTES), sessions: [] };
}

function readState(file: string): StoredState | undefined {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || (found.mode & 0o077) !== 0) return undefined;
  if (process.getuid !== undefined && found.uid !== process.getuid()) return undefined;
  try {
    const { port, token, sessions } = readJsonFile(file) as Partial<StoredState>;
    const isWhole = Number.isInteger(port) && typeof token === 'string' && token.length === 2 * TOKEN_BYTES;
    return isWhole && Array.isArray(sessions) ? { port: port as number, token, sessions } : undefined;
  } catch {
    // A half-written file of an older version. Everything in it can be made again.
    return undefined;
  }
}
