import { clip } from './format.ts';
import type { Printer } from './printer.ts';
import { own } from './terminal-text.ts';

export type Mark = 'waiting' | 'running' | 'completed' | 'failed' | 'blocked';

export interface LiveView {
  readonly lines: readonly { readonly mark: Mark; readonly text: string }[];
  /** The index of the line to keep visible. */
  readonly current: number;
}

const SIGNS: Readonly<Record<Mark, readonly ['dim' | 'cyan' | 'green' | 'red' | 'yellow', string]>> = {
  waiting: ['dim', '○'],
  running: ['cyan', '●'],
  completed: ['green', '✓'],
  failed: ['red', '✗'],
  blocked: ['yellow', '?'],
};

export function signOf(mark: Mark, { colors }: Pick<Printer, 'colors'>): string {
  const [colour, sign] = SIGNS[mark];
  return colors[colour](sign);
}

/** Terminal lines that update in place. Shows the lines around `current` if there are too many. */
export class LiveLines {
  readonly #printer: Pick<Printer, 'output' | 'colors'>;
  readonly #view: () => LiveView;
  #drawn = 0;
  #scheduled = false;
  #ended = false;

  constructor(printer: Pick<Printer, 'output' | 'colors'>, view: () => LiveView) {
    this.#printer = printer;
    this.#view = view;
  }

  /** Schedules one redraw for all changes of this tick. */
  changed(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#ended) this.#draw();
    });
  }

  end(): void {
    this.#draw();
    this.#ended = true;
  }

  #draw(): void {
    const { output, colors } = this.#printer;
    const rows = Math.max(5, (output.rows ?? 24) - 3);
    const width = Math.max(20, (output.columns ?? 80) - 1);
    const { lines, current } = this.#view();
    const first = Math.max(0, Math.min(current - Math.floor(rows / 2), lines.length - rows));
    const shown = lines.slice(first, first + rows).map(({ mark, text }) => {
      const clipped = clip(text, width - 2);
      return `${signOf(mark, this.#printer)} ${mark === 'waiting' ? colors.dim(clipped) : clipped}`;
    });
    if (shown.length === 0) return;
    const up = this.#drawn > 0 ? own(`\u001b[${this.#drawn}A`) : '';
    // Clear the rest of a longer list.
    const clear = own('\u001b[2K');
    output.write(`${up}${shown.map((line) => clear + line).join('\n')}\n${own('\u001b[J')}`);
    this.#drawn = shown.length;
  }
}
