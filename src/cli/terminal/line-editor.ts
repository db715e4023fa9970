// Owns: the input line at the bottom of the terminal and the text above it. Does not own: what lines mean.
//
// I1: printed text stays above the line. Live text and the status are between them and update in place.
// I2: readline moves up by the rows between the prompt start and its cursor, so erasing must restore the cursor row.
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { cutToWidth } from '../format.ts';
import { visible } from '../printer.ts';
import { toTerminal } from '../terminal-text.ts';
import { wrapText } from '../wrap-text.ts';
import { Draft, isContinued } from './draft.ts';
import { Keyboard } from './keyboard.ts';
import { lastRows } from './last-rows.ts';

const HISTORY_LINES = 1_000;
const ENABLE_PASTE_MARKS = '\u001b[?2004h';
const DISABLE_PASTE_MARKS = '\u001b[?2004l';
const MIN_LIVE_ROWS = 3;
const RESERVED_ROWS = 6;
const DEFAULT_COLUMNS = 80;

export interface LineEditorOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly prompt: string;
  /** Prompt of continuation lines. */
  readonly continuationPrompt: string;
  /** Styles the status after it is cut to the width. */
  readonly styleStatus: (text: string) => string;
  /** Newest first. */
  readonly history: readonly string[];
  /** Returns candidates and the part of the line they replace. */
  readonly complete: (line: string) => Promise<readonly [readonly string[], string]>;
  readonly onText: (text: string) => void;
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
  /** Ctrl-D on an empty line, or the terminal closed. */
  readonly onEnd: () => void;
}

export class LineEditor {
  readonly #options: LineEditorOptions;
  readonly #draft = new Draft();
  readonly #keyboard: Keyboard;
  readonly #readline: Interface;
  /** Lines that ended with a backslash. */
  #continued = '';
  #live = '';
  #status = '';
  #drawing = false;
  #borrowed: Promise<unknown> | undefined;
  /** Output held back while another program uses the terminal. */
  #held = '';
  #closed = false;

  constructor(options: LineEditorOptions) {
    this.#options = options;
    const { input, output, complete } = options;
    this.#keyboard = new Keyboard(input, (text) => this.#draft.pasted(text));
    this.#readline = createInterface({
      input: this.#keyboard,
      output,
      terminal: true,
      history: [...options.history],
      historySize: HISTORY_LINES,
      removeHistoryDuplicates: true,
      prompt: toTerminal(options.prompt),
      completer: (line: string, done: (error: null, found: [string[], string]) => void) =>
        void complete(line).then(
          ([found, part]) => done(null, [found.map(visible), part]),
          () => done(null, [[], line]),
        ),
    });
    this.#readline.on('line', (line) => this.#handle(line));
    this.#readline.on('SIGINT', () => options.onInterrupt());
    this.#readline.on('close', () => {
      if (!this.#closed) options.onEnd();
    });
    input.pipe(this.#keyboard);
    output.on('resize', this.#onResize);
    output.write(ENABLE_PASTE_MARKS);
    this.#readline.prompt();
  }

  /** The status is cut to the new width. Readline has already drawn the line again. */
  readonly #onResize = (): void => this.#schedule();

  get columns(): number {
    return this.#options.output.columns ?? DEFAULT_COLUMNS;
  }

  get isEmpty(): boolean {
    return this.#readline.line === '' && this.#continued === '';
  }

  /** Discards the input. */
  clear(): void {
    this.#continued = '';
    this.#readline.write(null, { ctrl: true, name: 'e' });
    this.#readline.write(null, { ctrl: true, name: 'u' });
    this.#draw();
  }

  clearScreen(): void {
    this.#readline.write(null, { ctrl: true, name: 'l' });
  }

  /** Prints a text above the line, broken at words. */
  print(given: string): void {
    const { columns } = this.#options.output;
    const text = toTerminal(columns > 0 ? wrapText(given, columns - 1).join('\n') : given);
    if (this.#closed) this.#options.output.write(`${text}\n`);
    else if (this.#borrowed) this.#held += `${text}\n`;
    else {
      const rows = this.#erase();
      this.#options.output.write(`${text}\n${'\n'.repeat(rows)}`);
      this.#draw();
    }
  }

  /** Shows live text above the line; of a long text, its end. */
  show(live: string): void {
    if (this.#live === live) return;
    this.#live = live;
    this.#schedule();
  }

  /** Shows one line of facts between the live text and the input line. */
  showStatus(status: string): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    // One redraw for all changes of this tick.
    setImmediate(() => {
      this.#drawing = false;
      if (!this.#borrowed && !this.#closed) this.#draw();
    });
  }

  /** Gives the terminal to `work`. Output printed meanwhile appears afterwards. */
  withTerminal<T>(work: () => Promise<T>): Promise<T> {
    const before = (this.#borrowed ?? Promise.resolve()).catch(() => undefined);
    const mine = before.then(async () => {
      if (this.#closed) return work();
      const rows = this.#erase();
      this.#release();
      try {
        return await work();
      } finally {
        if (!this.#closed) this.#reclaim(rows, mine);
      }
    });
    this.#borrowed = mine;
    return mine;
  }

  close(): void {
    if (this.#closed) return;
    const isBorrowed = this.#borrowed !== undefined;
    if (!isBorrowed) this.#erase();
    this.#closed = true;
    this.#options.output.off('resize', this.#onResize);
    this.#release();
    this.#readline.close();
    this.#options.output.write(this.#held);
    this.#options.input.pause();
  }

  #release(): void {
    const { input, output } = this.#options;
    input.unpipe(this.#keyboard);
    input.setRawMode(false);
    output.write(DISABLE_PASTE_MARKS);
  }

  #reclaim(rows: number, work: Promise<unknown>): void {
    const { input, output } = this.#options;
    if (this.#borrowed === work) this.#borrowed = undefined;
    input.setRawMode(true);
    input.pipe(this.#keyboard);
    input.resume();
    output.write(`${ENABLE_PASTE_MARKS}${this.#held}${'\n'.repeat(rows)}`);
    this.#held = '';
    this.#draw();
  }

  #handle(line: string): void {
    this.#echo(line);
    this.#continued += line;
    if (isContinued(line)) {
      this.#continued = `${this.#continued.slice(0, -1)}\n`;
      this.#draw();
      return;
    }
    const text = this.#draft.textOf(this.#continued);
    this.#continued = '';
    this.#draw();
    this.#options.onText(text);
  }

  /** Reprints the entered line without the live text. */
  #echo(line: string): void {
    const { output } = this.#options;
    this.#readline.setPrompt(`${this.#readline.getPrompt()}${line}`);
    const { rows } = this.#readline.getCursorPos();
    moveCursor(output, 0, -(rows + 1));
    cursorTo(output, 0);
    clearScreenDown(output);
    output.write(toTerminal(`${this.#prompt()}${line}\n`));
  }

  /** Erases the line and the live text. Returns the cursor row within them. */
  #erase(): number {
    const { output } = this.#options;
    const { rows } = this.#readline.getCursorPos();
    moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    return rows;
  }

  #draw(): void {
    const { output } = this.#options;
    // One write, so that the terminal does not flicker.
    output.cork();
    this.#readline.setPrompt(this.#shown());
    this.#readline.prompt(true);
    output.uncork();
  }

  #prompt(): string {
    return this.#continued === '' ? this.#options.prompt : this.#options.continuationPrompt;
  }

  /** The prompt with the live text and the status above it, cut to the terminal. */
  #shown(): string {
    const { rows = 24 } = this.#options.output;
    const { columns } = this;
    const room = { rows: Math.max(MIN_LIVE_ROWS, rows - RESERVED_ROWS), columns };
    return toTerminal(
      [
        ...(this.#live === '' ? [] : [lastRows(this.#live, room)]),
        ...(this.#status === '' ? [] : [this.#options.styleStatus(cutToWidth(this.#status, columns - 1))]),
        this.#prompt(),
      ].join('\n'),
    );
  }
}
