import type { Printer } from './printer.ts';
import { own } from './terminal-text.ts';

export const FRAME_MS = 100;
export const SPINNER_FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const CLEAR_LINE = own('\u001b[G\u001b[2K');

/** One line on stderr that is drawn again and again behind a turning sign. Only on a terminal; see `Printer.isLive`. */
export class DrawnLine {
  readonly #printer: Printer;
  readonly #text: (room: number) => string;
  #frame = 0;
  #isDrawn = false;
  #timer: NodeJS.Timeout | undefined;

  /** `text` gives the line in at most `room` columns. */
  constructor(printer: Printer, text: (room: number) => string) {
    this.#printer = printer;
    this.#text = text;
  }

  /** Draws with a timer from now on, so that short work does not flicker. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#printer.useLiveLine(this);
    this.#timer = setInterval(() => this.draw(), FRAME_MS);
    this.#timer.unref();
  }

  draw(): void {
    const { output, colors } = this.#printer;
    const text = this.#text(Math.max(20, (output.columns ?? 80) - 5));
    this.#frame = (this.#frame + 1) % SPINNER_FRAMES.length;
    output.write(`${CLEAR_LINE}  ${colors.cyan(SPINNER_FRAMES[this.#frame] ?? '')} ${text}`);
    this.#isDrawn = true;
  }

  /** Removes the line from the screen. The timer draws it again. */
  clear(): void {
    if (!this.#isDrawn) return;
    this.#printer.output.write(CLEAR_LINE);
    this.#isDrawn = false;
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.clear();
    this.#printer.useLiveLine(undefined);
  }
}
