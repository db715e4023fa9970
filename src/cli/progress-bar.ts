// Owns: the line that shows how far a long operation is.
import { DrawnLine, FRAME_MS } from './drawn-line.ts';
import { cutToWidth, showBytes } from './format.ts';
import type { Printer } from './printer.ts';
import { showElapsed } from './spinner.ts';

const BAR_COLUMNS = 20;
/** Rate and remaining time are guesses before this. */
const MIN_RATE_MS = 1_000;

export interface Progress {
  /** Such as "importing". Rate and time start again when it changes. */
  readonly what: string;
  readonly done: number;
  /** 0 or missing while it is unknown. */
  readonly total?: number;
  /** Default: items. */
  readonly unit?: 'bytes';
}

export class ProgressBar {
  readonly #printer: Printer;
  readonly #now: () => number;
  readonly #line: DrawnLine;
  #progress: Progress = { what: '', done: 0 };
  #startedAt = 0;
  #startedWith = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(printer: Printer, now: () => number = () => performance.now()) {
    this.#printer = printer;
    this.#now = now;
    this.#line = new DrawnLine(printer, (room) => this.#text(room));
  }

  /** Draws at most once per frame. The timer keeps the elapsed time going while nothing is reported. */
  show(progress: Progress): void {
    if (!this.#printer.isLive) return;
    const now = this.#now();
    if (progress.what !== this.#progress.what || progress.done < this.#progress.done) {
      this.#startedAt = now;
      this.#startedWith = progress.done;
    }
    this.#progress = progress;
    this.#line.start();
    // Synchronous work blocks the timer.
    if (now - this.#drawnAt >= FRAME_MS) this.#line.draw();
  }

  end(): void {
    this.#line.stop();
  }

  #text(room: number): string {
    this.#drawnAt = this.#now();
    const elapsedMs = this.#drawnAt - this.#startedAt;
    return cutToWidth(showProgress(this.#progress, { elapsedMs, startedWith: this.#startedWith }), room);
  }
}

/** Such as "importing ████░░░░ 12,300 of 40,000 · 2,100/s · 13 s left". */
export function showProgress(
  { what, done, total = 0, unit }: Progress,
  { elapsedMs, startedWith }: { readonly elapsedMs: number; readonly startedWith: number },
): string {
  const amount = (count: number): string =>
    unit === 'bytes' ? showBytes(count) : Math.round(count).toLocaleString('en');
  const seconds = elapsedMs / 1_000;
  if (done === 0 && total === 0)
    return `${what}…${seconds < 1 ? '' : ` ${showElapsed(Math.floor(seconds))}`}`;
  const rate = elapsedMs < MIN_RATE_MS ? 0 : (done - startedWith) / seconds;
  const facts = [
    total === 0 ? amount(done) : `${amount(done)} of ${amount(total)}`,
    ...(rate < 1 ? [] : [`${amount(rate)}/s`]),
    ...(rate === 0 || total === 0 ? [] : [`${showElapsed(Math.ceil((total - done) / rate))} left`]),
  ];
  return `${what} ${total === 0 ? '' : `${bar(done / total)} `}${facts.join(' · ')}`;
}

function bar(share: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * BAR_COLUMNS);
  return '█'.repeat(filled) + '░'.repeat(BAR_COLUMNS - filled);
}

/** Shows a bar during the work, and removes it at its end. */
export async function withProgress<Answer>(
  printer: Printer,
  what: string,
  work: (show: (progress: Omit<Progress, 'what'> & { readonly what?: string }) => void) => Promise<Answer>,
): Promise<Answer> {
  const bar = new ProgressBar(printer);
  bar.show({ what, done: 0 });
  try {
    return await work((progress) => bar.show({ what, ...progress }));
  } finally {
    bar.end();
  }
}
