// Owns: reading one key that a person presses on purpose. Keys that were typed before are dropped.
const GUARD_MS = 300;
/** Text that is typed or pasted arrives faster than one deliberate key. */
const SINGLE_MS = 150;
const ENTER = ['\r', '\n'];
/** Ctrl-C and Ctrl-D. */
const INTERRUPTS = ['\u0003', '\u0004'];
const ESCAPE = '\u001b';

export type Key =
  | { readonly kind: 'enter' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'character'; readonly text: string };

type Terminal = Pick<NodeJS.ReadStream, 'isRaw' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>;

/** Keys of a terminal, one at a time. Call `close` when done. */
export class KeyReader {
  readonly #terminal: Terminal;
  readonly #wasRaw: boolean;
  #listener: ((text: string) => void) | undefined;
  readonly #onData = (data: Buffer | string): void => this.#listener?.(data.toString());

  constructor(terminal: Terminal = process.stdin) {
    this.#terminal = terminal;
    this.#wasRaw = terminal.isRaw;
    terminal.setRawMode(true);
    terminal.on('data', this.#onData);
    terminal.resume();
  }

  /** Drops what was typed before now, and what arrives shortly after. */
  async discard(): Promise<void> {
    this.#listener = undefined;
    await new Promise((resolve) => setTimeout(resolve, GUARD_MS));
    // A process that was busy meanwhile reads the old keys only now.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** The next key that is pressed alone: several at once are text for something else, and are dropped. */
  async next(): Promise<Key> {
    for (;;) {
      const key = await this.#burst();
      if (key === ESCAPE || INTERRUPTS.some((one) => key.includes(one))) return { kind: 'leave' };
      if (ENTER.includes(key)) return { kind: 'enter' };
      if ([...key].length === 1) return { kind: 'character', text: key.toLowerCase() };
    }
  }

  /** What arrives until nothing more comes for a moment. */
  #burst(): Promise<string> {
    return new Promise((resolve) => {
      let text = '';
      let timer: NodeJS.Timeout | undefined;
      this.#listener = (more) => {
        text += more;
        clearTimeout(timer);
        timer = setTimeout(() => {
          this.#listener = undefined;
          resolve(text);
        }, SINGLE_MS);
      };
    });
  }

  close(): void {
    this.#listener = undefined;
    this.#terminal.off('data', this.#onData);
    this.#terminal.setRawMode(this.#wasRaw);
    this.#terminal.pause();
  }
}
