// Owns: finding secrets that were escaped, split or regrouped. I1 Linear in the length of the text.
import { type Found, StringFinder } from './string-finder.ts';

/** The shortest trace of a secret that is searched for, if it has digits; without digits a trace resembles words. */
const MIN_TRACE = 12;
const MIN_TRACE_OF_LETTERS = 20;

/** A byte in quoted-printable. */
const QUOTED = /=(?=[0-9A-Fa-f]{2})/g;

/**
 * Finds secrets by their trace: the letters and digits of a text, in lower case, after URL, HTML, JSON and string escapes are decoded.
 * White space, quotes, signs and line breaks between them do not matter, nor does the case. A text with bytes in quoted-printable has a
 * second trace, with them as URL escapes, because `=` is mostly no escape.
 */
export class EncodedSecrets {
  readonly #traces = new Map<string, string>();
  #finder: StringFinder | undefined;

  /** Registers a value: as it is, reversed, in quoted-printable, and in each alphabet at each alignment. */
  add(name: string, value: string): void {
    const bytes = Buffer.from(value, 'utf8');
    const reversed = [...value].reverse().join('');
    const packed = ALPHABETS.flatMap((alphabet) => packedParts(bytes, alphabet));
    for (const form of [value, reversed, quotedPrintable(bytes), ...packed]) {
      const trace = traceOf(form);
      if (trace.length >= (/\d/.test(trace) ? MIN_TRACE : MIN_TRACE_OF_LETTERS))
        this.#traces.set(trace, name);
    }
    bytes.fill(0);
    this.#finder = undefined;
  }

  find(text: string): readonly Found[] {
    if (this.#traces.size === 0 || text.length < MIN_TRACE) return [];
    this.#finder ??= new StringFinder(this.#traces, MIN_TRACE);
    const found = findIn(text, this.#finder);
    const quoted = text.match(QUOTED)?.length ?? 0;
    return quoted < 2 ? found : [...found, ...findIn(text.replaceAll(QUOTED, '%'), this.#finder)];
  }
}

function findIn(text: string, finder: StringFinder): readonly Found[] {
  const found = finder.find(traceOf(text));
  if (found.length === 0) return found;
  const places: number[] = [];
  traceOf(text, places);
  return found.map(({ start, end, name }) => ({
    start: places[2 * start] as number,
    end: places[2 * end - 1] as number,
    name,
  }));
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const BASE64 = `${LETTERS.toUpperCase()}${LETTERS}${DIGITS}+/`;
/** Hex, base64 and the two base32. An alphabet of 2 to the n characters packs n bits into each. */
const ALPHABETS = [`${DIGITS}abcdef`, BASE64, `${LETTERS}234567`, `${DIGITS}${LETTERS.slice(0, 22)}`];

/** The part of base64 that does not depend on the bytes around, in each of the three alignments. */
export function base64Parts(bytes: Uint8Array): readonly string[] {
  return packedParts(bytes, BASE64);
}

/** Bytes in an alphabet: the part that does not depend on the bytes around, in each alignment. */
function packedParts(bytes: Uint8Array, alphabet: string): readonly string[] {
  const bits = Math.log2(alphabet.length);
  const parts: string[] = [];
  // After so many bytes a character begins with a byte again.
  for (let shift = 0; shift === 0 || (shift * 8) % bits !== 0; shift += 1) {
    let text = '';
    // The bits of the first byte that belong to a character of the byte before.
    const begin = (bits - ((shift * 8) % bits)) % bits;
    for (let at = begin; at + bits <= bytes.length * 8; at += bits) text += alphabet[bitsAt(bytes, at, bits)];
    parts.push(text);
  }
  return parts;
}

function bitsAt(bytes: Uint8Array, at: number, count: number): number {
  const first = at >> 3;
  const pair = ((bytes[first] as number) << 8) | (bytes[first + 1] ?? 0);
  return (pair >> (16 - (at & 7) - count)) & ((1 << count) - 1);
}

/** As mail encodes text: control characters, `=` and other bytes as `=` and two digits. */
function quotedPrintable(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replaceAll(/[^ -<>-~]/g, (byte) => `=${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** What a character contributes: itself in lower case, nothing, or the start of an escape. */
const DROPPED = 0;
const ESCAPE = 255;
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[0-9A-Za-z]/.test(character)) return character.toLowerCase().charCodeAt(0);
  return '%&\\'.includes(character) ? ESCAPE : DROPPED;
});
const SHARED_LENGTH = 1 << 16;
/** Reused, because most texts are short. */
const shared = new Uint8Array(SHARED_LENGTH);

/** The trace in UTF-8, one character for each byte. Appends where each byte begins and ends in the text to `places`. */
function traceOf(text: string, places?: number[]): string {
  const { length } = text;
  // A unit of the text contributes at most three bytes, and an escape fewer than it has characters.
  const bytes = 3 * length <= SHARED_LENGTH ? shared : new Uint8Array(3 * length + 1);
  let count = 0;
  for (let at = 0; at < length; ) {
    const code = text.charCodeAt(at);
    if (places === undefined && code < 128) {
      // Most characters end here. What is dropped is written too, and then overwritten.
      const kept = CLASSES[code] as number;
      if (kept !== ESCAPE) {
        bytes[count] = kept;
        if (kept !== DROPPED) count += 1;
        at += 1;
        continue;
      }
    }
    let point = code;
    let end = at + 1;
    let isByte = false;
    if (code >= 0xd800 && code < 0xdc00) {
      point = text.codePointAt(at) as number;
      if (point > 0xffff) end += 1;
    } else if (code < 128 && CLASSES[code] === ESCAPE) {
      ({ point, end, isByte } = readEscape(text, at));
    }
    const before = count;
    if (point < 128) {
      const kept = CLASSES[point] as number;
      if (kept !== DROPPED && kept !== ESCAPE) bytes[count++] = kept;
    } else if (isByte) bytes[count++] = point;
    else count = writeUtf8(point, bytes, count);
    if (places !== undefined) for (let i = before; i < count; i++) places.push(at, end);
    at = end;
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, count).toString('latin1');
}

function writeUtf8(point: number, bytes: Uint8Array, at: number): number {
  let count = at;
  if (point < 0x800) bytes[count++] = 0xc0 | (point >> 6);
  else {
    if (point < 0x10000) bytes[count++] = 0xe0 | (point >> 12);
    else {
      bytes[count++] = 0xf0 | (point >> 18);
      bytes[count++] = 0x80 | ((point >> 12) & 0x3f);
    }
    bytes[count++] = 0x80 | ((point >> 6) & 0x3f);
  }
  bytes[count++] = 0x80 | (point & 0x3f);
  return count;
}

interface Escape {
  readonly point: number;
  readonly end: number;
  /** True if it stands for a byte of UTF-8 and not for a character. */
  readonly isByte: boolean;
}

const HEX_BYTE = /[0-9A-Fa-f]{2}/y;
const HEX_UNIT = /u([0-9A-Fa-f]{4})/y;
const LOW_SURROGATE = /\\+u([dD][c-fC-F][0-9A-Fa-f]{2})/y;
const HEX_POINT = /u\{([0-9A-Fa-f]{1,6})\}/y;
const ENTITY =
  /&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(?:amp|lt|gt|quot|apos|nbsp|sol|bsol|plus|equals|lowbar|hyphen|dash|num|excl|dollar|percnt|ast|comma|period|colon|semi|quest|commat|lpar|rpar|lsqb|rsqb|lcub|rcub|verbar|grave|Hat|Tab|NewLine)\b);?/y;
const MAX_POINT = 0x10ffff;

/** Reads an escape of a URL, of HTML, of JSON or of a string literal; a sign that begins none stands for nothing. */
function readEscape(text: string, at: number): Escape {
  const nothing = (end: number): Escape => ({ point: 0, end, isByte: false });
  if (text[at] === '%') {
    const byte = matchAt(HEX_BYTE, text, at + 1)?.[0];
    return byte === undefined
      ? nothing(at + 1)
      : { point: Number.parseInt(byte, 16), end: at + 3, isByte: true };
  }
  if (text[at] === '&') {
    const entity = matchAt(ENTITY, text, at);
    if (entity === null) return nothing(at + 1);
    const [whole, decimal, hex] = entity;
    const point = Number.parseInt(decimal ?? hex ?? '0', decimal === undefined ? 16 : 10);
    return { point: point <= MAX_POINT ? point : 0, end: at + whole.length, isByte: false };
  }
  // A text that was escaped twice has several backslashes.
  let start = at + 1;
  while (text[start] === '\\') start += 1;
  return readBackslash(text, start) ?? nothing('nrtbf0'.includes(text[start] ?? ' ') ? start + 1 : start);
}

/** Reads what follows a backslash. */
function readBackslash(text: string, at: number): Escape | undefined {
  if (text[at] === 'x') {
    const byte = matchAt(HEX_BYTE, text, at + 1)?.[0];
    return byte === undefined ? undefined : { point: Number.parseInt(byte, 16), end: at + 3, isByte: true };
  }
  const [braced, digits] = matchAt(HEX_POINT, text, at) ?? [];
  if (braced !== undefined && digits !== undefined) {
    const point = Math.min(Number.parseInt(digits, 16), MAX_POINT);
    return { point, end: at + braced.length, isByte: false };
  }
  const unit = matchAt(HEX_UNIT, text, at)?.[1];
  if (unit === undefined) return undefined;
  const high = Number.parseInt(unit, 16);
  const low = high >= 0xd800 && high < 0xdc00 ? matchAt(LOW_SURROGATE, text, at + 5) : null;
  if (low === null) return { point: high, end: at + 5, isByte: false };
  const point = ((high - 0xd800) << 10) + (Number.parseInt(low[1] as string, 16) - 0xdc00) + 0x10000;
  return { point, end: at + 5 + low[0].length, isByte: false };
}

function matchAt(shape: RegExp, text: string, at: number): RegExpExecArray | null {
  shape.lastIndex = at;
  return shape.exec(text);
}
