import { setMaxListeners } from 'node:events';
import { userInfo } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { type OkaApi, OkaError, remoteOka } from '../api/index.ts';
import { okaHome } from '../config/index.ts';
import { isAnnounced, isOfThisBuild, isSilent, lookForDaemon } from './daemon-link.ts';
import { openInProcess } from './in-process.ts';
import { Printer } from './printer.ts';
import { describeSilent } from './silent-daemon.ts';

export interface GlobalOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** False with --no-input. */
  readonly input?: boolean;
  /** -C */
  readonly C?: string;
}

/** What every command has at hand. */
export class Context {
  #printer: Printer;
  readonly workspace: string;
  readonly #mayAsk: boolean;
  readonly #interrupt = new AbortController();
  #api: Promise<OkaApi> | undefined;

  constructor(options: GlobalOptions, workspace: string) {
    this.#printer = new Printer({ json: options.json ?? false, quiet: options.quiet ?? false });
    this.workspace = workspace;
    // Every child run listens to it; Node takes more than ten listeners for a leak and prints a warning.
    setMaxListeners(0, this.#interrupt.signal);
    this.#mayAsk = options.input !== false && !this.#printer.json;
  }

  /** Who gives the command. */
  get by(): string {
    return nameOfUser();
  }

  get printer(): Printer {
    return this.#printer;
  }

  /** Answers with an envelope from here on, whatever was asked for. */
  answerInJson(): void {
    this.#printer = new Printer({ json: true, quiet: this.#printer.quiet });
  }

  /** Whether a person is there to be asked. */
  get mayAsk(): boolean {
    return this.#mayAsk && process.stdin.isTTY === true && process.stderr.isTTY === true;
  }

  /** Oka as the daemon of the workspace offers it, or in this process where none runs. */
  open(): Promise<OkaApi> {
    this.#api ??= this.#find();
    return this.#api;
  }

  async #find(): Promise<OkaApi> {
    const place = { workspace: this.workspace, home: okaHome() };
    const openHere = (): Promise<OkaApi> =>
      openInProcess({
        ...place,
        onRepaired: (what) => this.printer.warning(what),
        onIncomplete: (what) => this.printer.warning(what),
        onTrouble: (what) => this.printer.message(`${this.printer.colors.yellow('trouble')} ${what}`),
      });
    const daemon = isAnnounced(place) ? await lookForDaemon(place) : undefined;
    if (isSilent(daemon)) {
      const { problem, next } = describeSilent(daemon);
      this.printer.message(`${problem} This command works without it. ${next}.`);
      return openHere();
    }
    if (daemon === undefined) return openHere();
    if (isOfThisBuild(daemon.status)) return remoteOka(daemon.link, openHere);
    daemon.link.close();
    this.printer.message(
      `the daemon is of another build of Oka (${daemon.status.version}) and not asked; restart it with: oka down, then oka up`,
    );
    return openHere();
  }

  /** Aborted when the person wants out. */
  get interrupted(): AbortSignal {
    return this.#interrupt.signal;
  }

  /** Lets go of what is under way. */
  interrupt(): void {
    this.#interrupt.abort();
    void this.#api?.then((api) => api.letGo());
  }

  async close(): Promise<void> {
    await (await this.#api)?.close();
    this.#api = undefined;
  }
}

function nameOfUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'user';
  }
}

/** Reads an argument as JSON, or says what is wrong with it. */
export function parseJsonArgument(text: string, what: string) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new OkaError(
      'cli.invalid_json',
      `${what} is not JSON: ${(cause as Error).message}. Put it in single quotes, as in '{"key":"value"}'.`,
      { cause },
    );
  }
}

/** Reads an argument as a JSON object. */
export function parseJsonObject(text: string, what: string) {
  const value = parseJsonArgument(text, what);
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  throw new OkaError('cli.invalid_json', `${what} is not a JSON object; write it as in '{"key":"value"}'.`);
}

/** Reads a number of 0 or more; commander names the option that it was given to. */
export function parseAmount(text: string): number {
  const amount = Number(text);
  if (text.trim() !== '' && Number.isFinite(amount) && amount >= 0) return amount;
  throw new InvalidArgumentError('Give a number of 0 or more');
}

/** Reads a whole number of 0 or more. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(count) && count >= 0) return count;
  throw new InvalidArgumentError('Give a whole number of 0 or more');
}

/** Reads `name=amount` pairs. */
export function parsePairs(pairs: readonly string[], what: string): Record<string, number> {
  return Object.fromEntries(
    pairs
      .flatMap((pair) => pair.split(','))
      .map((pair) => {
        const [name, amount, ...rest] = pair.split('=');
        if (!name || !amount || rest.length > 0 || !Number.isFinite(Number(amount))) {
          throw new OkaError(
            'cli.usage',
            `"${pair}" does not fit ${what}; write it as in ${what} steps=50.`,
            { data: { given: pair } },
          );
        }
        return [name, Number(amount)];
      }),
  );
}

export function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}
