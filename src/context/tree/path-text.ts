// File names are bytes and need not be valid text. A scan uses byte strings, with one character per byte. Everything else
// uses UTF-8 text, with doubled backslashes and `\xNN` for invalid bytes.

const PLAIN = /^[^\\\u0080-\uffff]*$/;
const ASCII = /^[^\u0080-\uffff]*$/;
const ESCAPE = /\\(?:x([0-9a-f]{2})|\\)/g;

/** Converts a byte string to text. The conversion is reversible. */
export function pathText(bytes: string): string {
  if (PLAIN.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  const text = buffer.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(buffer)) return text.replaceAll('\\', '\\\\');
  return escapeBytes(buffer);
}

/** Reverses `pathText`. */
export function pathBytes(text: string): string {
  if (PLAIN.test(text)) return text;
  return utf8Bytes(text).replaceAll(ESCAPE, (_, hex?: string) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The UTF-8 byte string of a text. */
export function utf8Bytes(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

function escapeBytes(buffer: Buffer): string {
  let text = '';
  for (let at = 0; at < buffer.length; ) {
    const length = lengthOfCharacter(buffer, at);
    const piece = buffer.toString('utf8', at, at + Math.max(length, 1));
    if (length === 0) text += `\\x${(buffer[at] as number).toString(16).padStart(2, '0')}`;
    else text += piece === '\\' ? '\\\\' : piece;
    at += Math.max(length, 1);
  }
  return text;
}

/** The bytes of the character at this position; 0 if it is invalid. */
function lengthOfCharacter(buffer: Buffer, at: number): number {
  const first = buffer[at] as number;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const piece = buffer.subarray(at, at + length);
  const sound = piece.length === length && Buffer.from(piece.toString('utf8'), 'utf8').equals(piece);
  return sound ? length : 0;
}
