// Owns: separating pasted from typed input. Does not own: what keys do.
import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
const ALT_ENTER = '\u001b\r';

export interface KeySource {
  setRawMode(on: boolean): unknown;
}

/** Passes keys through and replaces pastes and Alt-Enter by the result of `onPaste`. */
export class Keyboard extends Transform {
  readonly isTTY = true;
  readonly #terminal: KeySource;
  readonly #onPaste: (text: string) => string;
  readonly #decoder = new StringDecoder('utf8');
  /** Input that is not classified yet. */
  #rest = '';
  #pasting = false;

  constructor(terminal: KeySource, onPaste: (text: string) => string) {
    super();
    this.#terminal = terminal;
    this.#onPaste = onPaste;
  }

  setRawMode(on: boolean): this {
    this.#terminal.setRawMode(on);
    return this;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#rest += this.#decoder.write(chunk);
    let keys = '';
    for (let more = true; more; ) {
      const before = this.#rest;
      keys += this.#pasting ? this.#readPasted() : this.#readTyped();
      more = this.#rest !== '' && this.#rest !== before;
    }
    done(null, keys);
  }

  #readTyped(): string {
    const begins = this.#rest.indexOf(PASTE_START);
    const typed = begins < 0 ? this.#rest : this.#rest.slice(0, begins);
    const held = begins < 0 ? partialMarkLength(PASTE_START, typed) : 0;
    this.#pasting = begins >= 0;
    this.#rest =
      begins < 0 ? typed.slice(typed.length - held) : this.#rest.slice(begins + PASTE_START.length);
    return typed.slice(0, typed.length - held).replaceAll(ALT_ENTER, () => this.#onPaste('\n'));
  }

  /** Holds a paste back until it is complete. */
  #readPasted(): string {
    const ends = this.#rest.indexOf(PASTE_END);
    if (ends < 0) return '';
    const pasted = this.#rest.slice(0, ends);
    this.#rest = this.#rest.slice(ends + PASTE_END.length);
    this.#pasting = false;
    return this.#onPaste(pasted);
  }
}

/** Length of a partial mark at the end of the text. A single escape is the Escape key. */
function partialMarkLength(mark: string, text: string): number {
  for (let length = mark.length - 1; length > 1; length--)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}
