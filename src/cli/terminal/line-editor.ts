// Owns: the line that a person types at the bottom of the terminal, and what is shown above it while they type. Does not
// own: what lines mean.
//
// I1: what is printed stands above the line for good; the live text stands between them and changes in place.
// I2: readline goes up as many rows as its cursor was below the beginning of the prompt, so whoever erases puts the cursor
//     back there.
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { Draft, goesOn } from './draft.ts';
import { Keyboard } from './keyboard.ts';
import { lastRows } from './last-rows.ts';

const HISTORY_LINES = 1_000;
const MARK_PASTES = '\u001b[?2004h';
const DO_NOT_MARK_PASTES = '\u001b[?2004l';
const FEWEST_LIVE_ROWS = 3;
const ROWS_KEPT_FREE = 6;

export interface LineEditorOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly prompt: string;
  /** Shown instead of the prompt in the lines after one that ends with a backslash. */
  readonly promptWithin: string;
  /** Newest first. */
  readonly history: readonly string[];
  /** What could stand at the end of a line, and the part of it that each would replace. */
  readonly complete: (line: string) => Promise<readonly [readonly string[], string]>;
  readonly onText: (text: string) => void;
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
  /** Ctrl-D in an empty line, or the terminal is gone. */
  readonly onEnd: () => void;
}

/** A line to type in, below whatever is printed meanwhile. */
export class LineEditor {
  readonly #options: LineEditorOptions;
  readonly #draft = new Draft();
  readonly #keyboard: Keyboard;
  readonly #readline: Interface;
  /** Lines that ended with a backslash. */
  #begun = '';
  #live = '';
  #drawing = false;
  #lent: Promise<unknown> | undefined;
  /** Printed while the terminal was lent. */
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
      prompt: options.prompt,
      completer: (line: string, done: (error: null, found: [string[], string]) => void) =>
        void complete(line).then(
          ([found, part]) => done(null, [[...found], part]),
          () => done(null, [[], line]),
        ),
    });
    this.#readline.on('line', (line) => this.#take(line));
    this.#readline.on('SIGINT', () => options.onInterrupt());
    this.#readline.on('close', () => {
      if (!this.#closed) options.onEnd();
    });
    input.pipe(this.#keyboard);
    output.write(MARK_PASTES);
    this.#readline.prompt();
  }

  /** Whether nothing is being typed. */
  get isEmpty(): boolean {
    return this.#readline.line === '' && this.#begun === '';
  }

  /** Throws away what is being typed. */
  clear(): void {
    this.#begun = '';
    this.#readline.write(null, { ctrl: true, name: 'e' });
    this.#readline.write(null, { ctrl: true, name: 'u' });
    this.#draw();
  }

  /** Clears the whole terminal. */
  clearScreen(): void {
    this.#readline.write(null, { ctrl: true, name: 'l' });
  }

  /** Puts a text above the line, for good. */
  print(text: string): void {
    if (this.#closed) this.#options.output.write(`${text}\n`);
    else if (this.#lent) this.#held += `${text}\n`;
    else {
      const rows = this.#erase();
      this.#options.output.write(`${text}\n${'\n'.repeat(rows)}`);
      this.#draw();
    }
  }

  /** Shows a text right above the line until another is shown there; of a long one, its end. */
  show(live: string): void {
    if (this.#live === live) return;
    this.#live = live;
    if (this.#drawing) return;
    this.#drawing = true;
    // What changes in the meantime is drawn with it.
    setImmediate(() => {
      this.#drawing = false;
      if (!this.#lent && !this.#closed) this.#draw();
    });
  }

  /** Lets somebody else have the terminal until the work is done; what is printed meanwhile appears afterwards. */
  lend<T>(work: () => Promise<T>): Promise<T> {
    const before = (this.#lent ?? Promise.resolve()).catch(() => undefined);
    const mine = before.then(async () => {
      if (this.#closed) return work();
      const rows = this.#erase();
      this.#release();
      try {
        return await work();
      } finally {
        if (!this.#closed) this.#takeBack(rows, mine);
      }
    });
    this.#lent = mine;
    return mine;
  }

  close(): void {
    if (this.#closed) return;
    const lent = this.#lent !== undefined;
    if (!lent) this.#erase();
    this.#closed = true;
    this.#release();
    this.#readline.close();
    this.#options.output.write(this.#held);
    this.#options.input.pause();
  }

  #release(): void {
    const { input, output } = this.#options;
    input.unpipe(this.#keyboard);
    input.setRawMode(false);
    output.write(DO_NOT_MARK_PASTES);
  }

  #takeBack(rows: number, lent: Promise<unknown>): void {
    const { input, output } = this.#options;
    if (this.#lent === lent) this.#lent = undefined;
    input.setRawMode(true);
    input.pipe(this.#keyboard);
    input.resume();
    output.write(`${MARK_PASTES}${this.#held}${'\n'.repeat(rows)}`);
    this.#held = '';
    this.#draw();
  }

  #take(line: string): void {
    this.#echo(line);
    this.#begun += line;
    if (goesOn(line)) {
      this.#begun = `${this.#begun.slice(0, -1)}\n`;
      this.#draw();
      return;
    }
    const text = this.#draft.textOf(this.#begun);
    this.#begun = '';
    this.#draw();
    this.#options.onText(text);
  }

  /** Leaves the line as it was typed, and nothing of the live text above it. */
  #echo(line: string): void {
    const { output } = this.#options;
    this.#readline.setPrompt(`${this.#readline.getPrompt()}${line}`);
    const { rows } = this.#readline.getCursorPos();
    moveCursor(output, 0, -(rows + 1));
    cursorTo(output, 0);
    clearScreenDown(output);
    output.write(`${this.#prompt()}${line}\n`);
  }

  /** Erases the line and what is live above it; answers with how far down in it the cursor was. */
  #erase(): number {
    const { output } = this.#options;
    const { rows } = this.#readline.getCursorPos();
    moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    return rows;
  }

  #draw(): void {
    this.#readline.setPrompt(this.#shown());
    this.#readline.prompt(true);
  }

  #prompt(): string {
    return this.#begun === '' ? this.#options.prompt : this.#options.promptWithin;
  }

  /** The prompt with the live text above it, as far as there is room for it. */
  #shown(): string {
    if (this.#live === '') return this.#prompt();
    const { rows = 24, columns = 80 } = this.#options.output;
    return `${lastRows(this.#live, { rows: Math.max(FEWEST_LIVE_ROWS, rows - ROWS_KEPT_FREE), columns })}\n${this.#prompt()}`;
  }
}
