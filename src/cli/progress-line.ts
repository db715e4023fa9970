import type { Printer } from './printer.ts';

const MIN_INTERVAL_MS = 100;
const CLEAR_LINE = '\r\u001b[2K';

/** A progress line on stderr, on a terminal only. */
export class ProgressLine {
  readonly #printer: Printer;
  #shownAt = 0;

  constructor(printer: Printer) {
    this.#printer = printer;
  }

  show(text: string): void {
    const { json, quiet, output } = this.#printer;
    const now = performance.now();
    if (json || quiet || !output.isTTY || now - this.#shownAt < MIN_INTERVAL_MS) return;
    output.write(`${CLEAR_LINE}${text}`);
    this.#shownAt = now;
  }

  clear(): void {
    if (this.#shownAt > 0) this.#printer.output.write(CLEAR_LINE);
  }
}
