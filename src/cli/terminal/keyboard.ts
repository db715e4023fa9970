// Owns: telling what is pasted from what is typed. Does not own: what keys do.
import { Transform, type TransformCallback } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const PASTE_BEGINS = '\u001b[200~';
const PASTE_ENDS = '\u001b[201~';
const ALT_ENTER = '\u001b\r';

/** The part of a terminal that keys come from. */
export interface KeySource {
  setRawMode(on: boolean): unknown;
}

/** Keys as they come from a terminal; what is pasted, and Alt-Enter, comes as `onPaste` says. */
export class Keyboard extends Transform {
  readonly isTTY = true;
  readonly #terminal: KeySource;
  readonly #onPaste: (text: string) => string;
  readonly #decoder = new StringDecoder('utf8');
  /** What has come and cannot be told yet. */
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
    const begins = this.#rest.indexOf(PASTE_BEGINS);
    const typed = begins < 0 ? this.#rest : this.#rest.slice(0, begins);
    const held = begins < 0 ? beginningOf(PASTE_BEGINS, typed) : 0;
    this.#pasting = begins >= 0;
    this.#rest =
      begins < 0 ? typed.slice(typed.length - held) : this.#rest.slice(begins + PASTE_BEGINS.length);
    return typed.slice(0, typed.length - held).replaceAll(ALT_ENTER, () => this.#onPaste('\n'));
  }

  /** Nothing of a paste is given on before it is whole. */
  #readPasted(): string {
    const ends = this.#rest.indexOf(PASTE_ENDS);
    if (ends < 0) return '';
    const pasted = this.#rest.slice(0, ends);
    this.#rest = this.#rest.slice(ends + PASTE_ENDS.length);
    this.#pasting = false;
    return this.#onPaste(pasted);
  }
}

/** How much of the end of a text could be the beginning of a mark. One escape alone is a key of its own. */
function beginningOf(mark: string, text: string): number {
  for (let length = mark.length - 1; length > 1; length--)
    if (text.endsWith(mark.slice(0, length))) return length;
  return 0;
}
