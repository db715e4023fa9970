import pc from 'picocolors';
import { shortenIds, visible, visibleJson, type Warning } from '../api/index.ts';
import { terminalIsWatched } from '../config/index.ts';
import { createColors, Terminal } from './terminal-text.ts';
import { wrapText } from './wrap-text.ts';

export type { Colors } from './terminal-text.ts';
// Not from the face of the folder, which would load all of it.
export { visible };

/** A line that is drawn again and again, such as a spinner. */
export interface LiveLine {
  clear(): void;
}

/** Prints results to stdout and messages to stderr; colours only on a terminal. */
export class Printer {
  readonly json: boolean;
  readonly quiet: boolean;
  /** Also shows internal states, reasons and error codes. */
  readonly verbose: boolean;
  readonly colors = createColors(pc.isColorSupported && process.stderr.isTTY === true);
  readonly dataColors = createColors(pc.isColorSupported && process.stdout.isTTY === true);

  readonly #warnings: Warning[] = [];
  #isHolding = false;
  #held: object | undefined;

  /** Whether the current line already has text. */
  #isMidLine = false;
  #liveLine: LiveLine | undefined;

  /** Prompts go to stderr, so that stdout holds only the result. */
  readonly output = new Terminal(process.stderr);
  readonly #results = new Terminal(process.stdout);

  constructor(options: { readonly json: boolean; readonly quiet: boolean; readonly verbose?: boolean }) {
    this.json = options.json;
    this.quiet = options.quiet;
    this.verbose = options.verbose ?? false;
  }

  /** Whether lines can be drawn again in place: on a terminal that can move its cursor and that a person watches. */
  get isLive(): boolean {
    return !this.quiet && !this.json && this.output.isTTY && terminalIsWatched();
  }

  /** Every output of the printer clears this line first. */
  useLiveLine(line: LiveLine | undefined): void {
    this.#liveLine = line;
  }

  clearLiveLine(): void {
    this.#liveLine?.clear();
  }

  /** Prints the result: one envelope, or the text from `human`. */
  answer<T>(data: T, human: (data: T) => string): void {
    this.#liveLine?.clear();
    if (this.json) this.#envelope({ version: 1, ok: true, data });
    else {
      const text = human(data);
      if (text !== '') this.#results.write(text.endsWith('\n') ? text : `${text}\n`);
    }
  }

  error(error: { readonly code: string; readonly message: string; readonly data: unknown }): void {
    this.#liveLine?.clear();
    if (this.json) this.#envelope({ version: 1, ok: false, error });
    else
      this.output.write(
        `${this.colors.red('✗')} ${wrapped(`${shortenIds(error.message)} (${error.code})`)}\n`,
      );
  }

  /** Keeps the envelope until `flush`, because warnings may still come. */
  hold(): void {
    this.#isHolding = true;
  }

  flush(): void {
    this.#isHolding = false;
    if (this.#held !== undefined) this.#envelope(this.#held);
    this.#held = undefined;
  }

  #envelope(envelope: object): void {
    if (this.#held !== undefined && this.#held !== envelope) this.flush();
    if (this.#isHolding) {
      this.#held = envelope;
      return;
    }
    const warnings = this.#warnings.splice(0).map(({ code, message }) => ({ code, message }));
    const whole = warnings.length === 0 ? envelope : { ...envelope, warnings };
    this.record(JSON.stringify(whole));
  }

  /** Prints a block of an answer that is not complete yet, with an empty line before it. */
  block(text: string): void {
    this.#liveLine?.clear();
    this.#results.write(`\n${text}\n`);
  }

  /** Why a run has no answer. Printed even with --quiet; with --json the envelope has it. */
  problem(sign: string, text: string): void {
    if (this.json) return;
    this.#liveLine?.clear();
    this.output.write(`${sign} ${wrapped(text)}\n`);
  }

  /** Prints one line of a long result, which is JSON with --json. False if the reader has closed the pipe. */
  line(text: string): boolean {
    return this.json ? this.record(text) : this.#line(text);
  }

  /** Prints one line of JSON. False if the reader has closed the pipe. */
  record(json: string): boolean {
    return this.#line(visibleJson(json));
  }

  #line(text: string): boolean {
    this.#liveLine?.clear();
    return this.#results.write(`${text}\n`);
  }

  message(text: string): void {
    if (this.quiet || this.json) return;
    this.#liveLine?.clear();
    this.output.write(this.#isMidLine ? `\n${text}\n` : `${text}\n`);
    this.#isMidLine = false;
  }

  /** A warning that --quiet hides. With --json it is in the envelope only. */
  notice(message: string, about: Omit<Warning, 'message'>): void {
    this.#keep({ ...about, message });
    this.message(`${this.colors.yellow('warning')} ${message}`);
  }

  /** Printed even with --quiet and --json, whose envelope has it too. */
  warning(text: string, about: Omit<Warning, 'message'> = { code: 'cli.warning' }): void {
    this.#keep({ ...about, message: text });
    this.#liveLine?.clear();
    this.output.write(`${this.#isMidLine ? '\n' : ''}${this.colors.yellow('!')} ${wrapped(text)}\n`);
    this.#isMidLine = false;
  }

  /** What is over needs no warning any more. */
  over({ topic, message }: Warning): void {
    const still = this.#warnings.filter((warning) => warning.topic !== topic);
    if (still.length === this.#warnings.length) return;
    this.#warnings.splice(0, Number.POSITIVE_INFINITY, ...still);
    this.message(message);
  }

  #keep(warning: Warning): void {
    if (!this.#warnings.some(({ message }) => message === warning.message)) this.#warnings.push(warning);
  }

  /** Streams text to a terminal. */
  words(text: string): void {
    if (this.quiet || this.json || process.stderr.isTTY !== true) return;
    this.#liveLine?.clear();
    this.output.write(this.colors.dim(text));
    this.#isMidLine = true;
  }
}

/** A sentence after a sign, broken at words on a terminal. */
function wrapped(text: string): string {
  if (process.stderr.isTTY !== true) return text;
  return wrapText(text, (process.stderr.columns || 80) - 3).join('\n  ');
}
