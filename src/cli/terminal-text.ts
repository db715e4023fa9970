// Owns: what the CLI may write to a terminal. Text passes `toTerminal` on its way out, which escapes every sequence but those
// that Oka made: they have a key that differs in each process, so text from elsewhere cannot have it.
import { closeSync, openSync, readSync } from 'node:fs';
import pc from 'picocolors';
import { systemRandom, visible } from '../api/index.ts';

export type Colors = ReturnType<typeof pc.createColors>;

let key: string | undefined;
/** Parameters of a control sequence, so that what measures text gives them no width. Made when the first sequence is. */
function ownKey(): string {
  key ??= [...randomBytes()].map((byte) => 100 + byte).join(';');
  return key;
}

const KEY_BYTES = 8;

/** Loading node:crypto for this would take a command a quarter of its start. */
function randomBytes(): Uint8Array {
  const bytes = new Uint8Array(KEY_BYTES);
  try {
    const source = openSync('/dev/urandom', 'r');
    readSync(source, bytes);
    closeSync(source);
    return bytes;
  } catch {
    return Buffer.from(systemRandom.hex(KEY_BYTES), 'hex');
  }
}

/** Marks the control sequences of a text as Oka's own. Only for constants of this program. */
export function own(sequences: string): string {
  return sequences.replaceAll('\u001b[', `\u001b[${ownKey()};`);
}

/** Escapes everything that is not plain text, except for Oka's own sequences, which lose their key. */
export function toTerminal(text: string): string {
  // Without a key no sequence is Oka's own.
  const parts = key === undefined ? [text] : text.split(new RegExp(`\\u001b\\[${key};([?\\d;]*[A-Za-z])`));
  return parts.map((part, at) => (at % 2 === 0 ? visible(part) : `\u001b[${part}`)).join('');
}

/** Colours as picocolors makes them, as Oka's own sequences. */
export function createColors(isEnabled: boolean): Colors {
  const plain = pc.createColors(isEnabled);
  if (!isEnabled) return plain;
  const styles = Object.entries(plain).map(([name, style]) => [
    name,
    typeof style === 'function' ? ownStyle(style) : style,
  ]);
  return Object.fromEntries(styles) as Colors;
}

function ownStyle(style: (text: string) => string): (text: unknown) => string {
  const [open = '', close = ''] = own(style(' ')).split(' ');
  // A style inside may end with the same sequence, and this one goes on after it.
  return (text) => `${open}${String(text).replaceAll(close, close + open)}${close}`;
}

/** A stream to a person, as the CLI writes to it. */
export class Terminal {
  /** For libraries that draw prompts by themselves. Their texts need `visible`. */
  readonly stream: NodeJS.WriteStream;

  constructor(stream: NodeJS.WriteStream) {
    this.stream = stream;
  }

  get isTTY(): boolean {
    return this.stream.isTTY === true;
  }

  get columns(): number {
    return this.stream.columns;
  }

  get rows(): number {
    return this.stream.rows;
  }

  /** False if the reader has closed the pipe. */
  write(text: string): boolean {
    this.stream.write(toTerminal(text));
    return this.stream.writable;
  }
}
