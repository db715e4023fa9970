import pc from 'picocolors';

export interface PrinterOptions {
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Data goes to stdout, messages to stderr; colour only where a person looks. */
export class Printer {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly colors = pc.createColors(pc.isColorSupported && process.stderr.isTTY === true);
  readonly dataColors = pc.createColors(pc.isColorSupported && process.stdout.isTTY === true);

  /** Whether words stand on the line that the next message would begin on. */
  #within = false;

  /** Where people are asked; never where the answer goes. */
  readonly output = process.stderr;

  constructor(options: PrinterOptions) {
    this.json = options.json;
    this.quiet = options.quiet;
  }

  /** The command's answer: one envelope, or the text that `human` makes of it. */
  answer<T>(data: T, human: (data: T) => string): void {
    if (this.json) process.stdout.write(`${JSON.stringify({ version: 1, ok: true, data })}\n`);
    else {
      const text = human(data);
      if (text !== '') process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    }
  }

  /** A command that could not answer. */
  error(error: { readonly code: string; readonly message: string; readonly data: unknown }): void {
    if (this.json) process.stdout.write(`${JSON.stringify({ version: 1, ok: false, error })}\n`);
    else
      process.stderr.write(
        `${this.colors.red('✗')} ${visible(error.message)} ${this.colors.dim(`(${error.code})`)}\n`,
      );
  }

  /** One line of an answer that has many. False when nobody reads them any more. */
  line(text: string): boolean {
    process.stdout.write(`${text}\n`);
    return process.stdout.writable;
  }

  /** Something worth knowing that is not the answer. */
  message(text: string): void {
    if (this.quiet || this.json) return;
    process.stderr.write(this.#within ? `\n${text}\n` : `${text}\n`);
    this.#within = false;
  }

  /** Something that a person has to know, whatever the command was asked to print. */
  warning(text: string): void {
    process.stderr.write(`${this.#within ? '\n' : ''}${this.colors.yellow('!')} ${visible(text)}\n`);
    this.#within = false;
  }

  /** Words as they come, for a person who looks on. */
  words(text: string): void {
    if (this.quiet || this.json || process.stderr.isTTY !== true) return;
    process.stderr.write(this.colors.dim(visible(text)));
    this.#within = true;
  }
}

/** Control and format characters: they move the cursor, turn text around, or hide. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text from elsewhere, made safe to show: nothing hidden, nothing that moves the cursor, nothing left out. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
