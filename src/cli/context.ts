import { setMaxListeners } from 'node:events';
import { InvalidArgumentError, Option } from 'commander';
import {
  BACKGROUND_WARNING,
  type Json,
  knownOka,
  type OkaApi,
  OkaError,
  parseJson,
  remoteOka,
  sortableIds,
  systemClock,
  systemRandom,
  type Warning,
} from '../api/index.ts';
import { okaHome, userName } from '../config/index.ts';
import { describeSilent, isAnnounced, isOfThisBuild, isSilent, probeDaemon } from './daemon-link.ts';
import { findWorkspace } from './find-workspace.ts';
import { openInProcess } from './in-process.ts';
import { Printer, visible } from './printer.ts';

export interface GlobalOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  /** False with --no-input. */
  readonly input?: boolean;
  readonly C?: string;
}

/** What reading may still wait for a server after it has waited for a daemon. */
const LEFT_MS = 500;

export class Context {
  #printer: Printer;
  #workspace: string;
  /** The current folder, or that of -C: the workspace or a folder in it. */
  readonly folder: string;
  readonly #canPrompt: boolean;
  readonly #interrupt = new AbortController();
  #usesDaemon = false;
  #api: Promise<OkaApi> | undefined;
  #opened: OkaApi | undefined;

  constructor(options: GlobalOptions, folder: string) {
    const { json = false, quiet = false, verbose = false } = options;
    this.#printer = new Printer({ json, quiet, verbose });
    this.folder = folder;
    this.#workspace = findWorkspace(folder) ?? folder;
    // Every child run listens to it, and Node warns about more than ten listeners.
    setMaxListeners(0, this.#interrupt.signal);
    this.#canPrompt = options.input !== false && !this.#printer.json;
  }

  get by(): string {
    return userName();
  }

  /** The folder itself, or the nearest one above it that has a workspace. */
  get workspace(): string {
    return this.#workspace;
  }

  /** Uses the folder itself as the workspace, for commands that create one. */
  stayInFolder(): void {
    this.#workspace = this.folder;
  }

  get printer(): Printer {
    return this.#printer;
  }

  usePrinter(printer: Printer): void {
    this.#printer = printer;
    if (this.#api !== undefined) printer.hold();
  }

  get canPrompt(): boolean {
    return this.#canPrompt && process.stdin.isTTY === true && process.stderr.isTTY === true;
  }

  /** Asks a yes-no question on the terminal; Enter means no. */
  async confirm(message: string): Promise<boolean> {
    const { confirm } = await import('@clack/prompts');
    const output = this.printer.output.stream;
    return (await confirm({ message: visible(message), initialValue: false, output })) === true;
  }

  /** Connects to the daemon of the workspace, or opens Oka in this process. */
  open(): Promise<OkaApi> {
    // Closing it may still warn.
    this.printer.hold();
    this.#api ??= this.#find().then((api) => {
      this.#opened = api;
      if (this.interrupted.aborted) void api.release();
      return api;
    });
    return this.#api;
  }

  async #find(): Promise<OkaApi> {
    const place = { workspace: this.workspace, home: okaHome() };
    const onWarning = (warning: Warning): void => {
      if (warning.isOver) this.printer.over(warning);
      else if (warning.code === BACKGROUND_WARNING || warning.topic !== undefined)
        this.printer.notice(warning.message, warning);
      else this.printer.warning(warning.message, warning);
    };
    const openHere = (): Promise<OkaApi> => openInProcess({ ...place, onWarning });
    const openCopy = (away: string): Promise<OkaApi> => openInProcess({ ...place, onWarning, away });
    const daemon = isAnnounced(place) ? await probeDaemon(place) : undefined;
    if (isSilent(daemon)) {
      const { problem, next } = describeSilent(daemon);
      this.printer.notice(`${problem} This command continues without it. ${next}.`, {
        code: 'daemon.unreachable',
      });
      return knownOka(await openInProcess({ ...place, onWarning, patienceMs: LEFT_MS }), openCopy);
    }
    if (daemon === undefined) return knownOka(await openHere(), openCopy);
    if (isOfThisBuild(daemon.status)) {
      this.#usesDaemon = true;
      return knownOka(remoteOka(daemon.link, openHere, onWarning), openCopy);
    }
    daemon.link.close();
    this.printer.notice(
      `The daemon runs another build of Oka (${daemon.status.version}), so this command does not use it. Restart it: oka down, then oka up`,
      { code: 'daemon.other_build' },
    );
    return knownOka(await openHere(), openCopy);
  }

  /** Whether the daemon works on what this command starts. */
  get usesDaemon(): boolean {
    return this.#usesDaemon;
  }

  /** Aborts on SIGINT and SIGTERM. */
  get interrupted(): AbortSignal {
    return this.#interrupt.signal;
  }

  /** Resolves when what is under way has reached a point from which it can be resumed. */
  async interrupt(): Promise<void> {
    this.#interrupt.abort();
    await this.#opened?.release();
  }

  async close(): Promise<void> {
    try {
      await (await this.#api)?.close();
    } finally {
      this.#api = undefined;
      this.#opened = undefined;
    }
  }
}

export function parseJsonArgument(text: string, what: string) {
  try {
    return parseJson(text);
  } catch (cause) {
    const problem = `Invalid JSON in ${what}: ${(cause as Error).message}`;
    const message = `${problem}. Put it in single quotes, such as '{"key":"value"}'.`;
    throw new OkaError('cli.invalid_json', message, { cause });
  }
}

export function parseJsonObject(text: string, what: string) {
  const value = parseJsonArgument(text, what);
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return value as Record<string, Json>;
  throw new OkaError('cli.invalid_json', `Expected a JSON object in ${what}, such as '{"key":"value"}'.`);
}

export function usageProblem(message: string): OkaError {
  return new OkaError('cli.usage', message);
}

/** An option that accepts only these values. */
export function choice(flags: string, description: string, ...values: readonly string[]): Option {
  return new Option(flags, description).choices(values);
}

export function parseAmount(text: string): number {
  const amount = Number(text);
  if (text.trim() !== '' && Number.isFinite(amount) && amount >= 0) return amount;
  throw new InvalidArgumentError('Expected a number of 0 or more');
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (text.trim() !== '' && Number.isSafeInteger(count) && count >= 0) return count;
  throw new InvalidArgumentError('Expected a whole number of 0 or more');
}

/** Parses `name=amount` pairs. */
export function parsePairs(pairs: readonly string[], what: string): Record<string, number> {
  return Object.fromEntries(
    pairs
      .flatMap((pair) => pair.split(','))
      .map((pair) => {
        const [name, amount, ...rest] = pair.split('=');
        if (!name || !amount || rest.length > 0 || !Number.isFinite(Number(amount))) {
          const message = `Invalid ${what} "${pair}": expected name=amount, such as steps=50.`;
          throw new OkaError('cli.usage', message, { data: { given: pair } });
        }
        return [name, Number(amount)];
      }),
  );
}

const MAX_KEY = 255;

export const SIMULATE_HELP = 'Show what would happen without changing anything; programs run on a draft';

/** The option of commands that start a run. Read it with `startKeyOf`. */
export function keyOption(): Option {
  return new Option('--key <key>', 'Repeat a start safely: the same key gets the same run').argParser(
    (key: string) => {
      if (key !== '' && key.length <= MAX_KEY) return key;
      throw usageProblem(`Invalid --key: expected 1 to ${MAX_KEY} characters.`);
    },
  );
}

/** The key of a start. A fresh one is the id of the run, and is told when it is unknown what became of the start. */
export function startKeyOf({ key }: { readonly key?: string | undefined }): string {
  return key ?? sortableIds(systemClock, systemRandom).next();
}

export function collect(value: string, previous: readonly string[]): readonly string[] {
  return [...previous, value];
}

/** Whether the text is an existing day, such as 2026-01-31. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text);
}
