import { DrawnLine } from './drawn-line.ts';
import { clip } from './format.ts';
import type { Printer } from './printer.ts';

export interface SpinnerText {
  /** What is waited for, such as "waiting for gpt-5-mini". */
  readonly text: string;
  /** Secondary facts, such as "$0.06 of $0.50". */
  readonly detail?: string;
}

/** A line that shows what is waited for and for how long. */
export class Spinner {
  readonly #printer: Printer;
  readonly #now: () => number;
  readonly #line: DrawnLine;
  #shown: SpinnerText = { text: '' };
  #startedAt = 0;

  constructor(printer: Printer, now: () => number = () => performance.now()) {
    this.#printer = printer;
    this.#now = now;
    this.#line = new DrawnLine(printer, (room) => this.#text(room));
  }

  /** Shows or changes the line. The elapsed time starts again when the text changes, not with the detail. */
  show(shown: SpinnerText): void {
    if (!this.#printer.isLive) return;
    if (shown.text !== this.#shown.text) this.#startedAt = this.#now();
    this.#shown = shown;
    this.#line.start();
  }

  stop(): void {
    this.#shown = { text: '' };
    this.#line.stop();
  }

  #text(room: number): string {
    const { text, detail = '' } = this.#shown;
    const seconds = Math.floor((this.#now() - this.#startedAt) / 1_000);
    const line = clip(`${text}…${seconds < 1 ? '' : ` ${showElapsed(seconds)}`}`, room);
    const extra = detail === '' ? '' : clip(detail, room - 3 - line.length);
    return extra === '' ? line : `${line}${this.#printer.colors.dim(`   ${extra}`)}`;
  }
}

/** Whole seconds, such as "3 s" or "2 min 5 s". */
export function showElapsed(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return `${Math.floor(seconds / 60)} min${rest === 0 ? '' : ` ${rest} s`}`;
}
