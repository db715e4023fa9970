import { userInfo } from 'node:os';
import { type OkaApi, OkaError } from '../api/index.ts';
import { okaHome } from '../config/index.ts';
import { openInProcess } from './in-process.ts';
import { Printer } from './printer.ts';

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
  readonly printer: Printer;
  readonly workspace: string;
  readonly by: string;
  readonly #mayAsk: boolean;
  readonly #interrupt = new AbortController();
  #api: Promise<OkaApi> | undefined;

  constructor(options: GlobalOptions, workspace: string) {
    this.printer = new Printer({ json: options.json ?? false, quiet: options.quiet ?? false });
    this.workspace = workspace;
    this.by = nameOfUser();
    this.#mayAsk =
      options.input !== false &&
      !this.printer.json &&
      process.stdin.isTTY === true &&
      process.stderr.isTTY === true;
  }

  /** Whether a person is there to be asked. */
  get mayAsk(): boolean {
    return this.#mayAsk;
  }

  open(): Promise<OkaApi> {
    this.#api ??= openInProcess({
      workspace: this.workspace,
      home: okaHome(),
      onMended: (what) => this.printer.message(`${this.printer.colors.yellow('mended')} ${what}`),
    });
    return this.#api;
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
