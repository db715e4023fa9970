import pc from 'picocolors';

/** Prints results to stdout and messages to stderr; colours only on a terminal. */
export class Printer {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly colors = pc.createColors(pc.isColorSupported && process.stderr.isTTY === true);
  readonly dataColors = pc.createColors(pc.isColorSupported && process.stdout.isTTY === true);

  /** Whether the current line already has text. */
  #isMidLine = false;

  /** Prompts go to stderr, so that stdout holds only the result. */
  readonly output = process.stderr;

  constructor({ json, quiet }: { readonly json: boolean; readonly quiet: boolean }) {
    this.json = json;
    this.quiet = quiet;
  }

  /** Prints the result: one envelope, or the text from `human`. */
  answer<T>(data: T, human: (data: T) => string): void {
    if (this.json) process.stdout.write(`${JSON.stringify({ version: 1, ok: true, data })}\n`);
    else {
      const text = human(data);
      if (text !== '') process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    }
  }

  error(error: { readonly code: string; readonly message: string; readonly data: unknown }): void {
    if (this.json) process.stdout.write(`${JSON.stringify({ version: 1, ok: false, error })}\n`);
    else
      process.stderr.write(
        `${this.colors.red('✗')} ${visible(error.message)} ${this.colors.dim(`(${error.code})`)}\n`,
      );
  }

  /** Prints one line of a long result. False if the reader has closed the pipe. */
  line(text: string): boolean {
    process.stdout.write(`${text}\n`);
    return process.stdout.writable;
  }

  message(text: string): void {
    if (this.quiet || this.json) return;
    process.stderr.write(this.#isMidLine ? `\n${text}\n` : `${text}\n`);
    this.#isMidLine = false;
  }

  /** Printed even with --quiet and --json. */
  warning(text: string): void {
    process.stderr.write(`${this.#isMidLine ? '\n' : ''}${this.colors.yellow('!')} ${visible(text)}\n`);
    this.#isMidLine = false;
  }

  /** Streams text to a terminal. */
  words(text: string): void {
    if (this.quiet || this.json || process.stderr.isTTY !== true) return;
    process.stderr.write(this.colors.dim(visible(text)));
    this.#isMidLine = true;
  }
}

/** Control and format characters: they can move the cursor, reverse text, or hide it. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Escapes invisible characters in untrusted text. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
