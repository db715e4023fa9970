// A name in a file system is bytes, and need not be text. Inside a scan it is a byte string: one character for each byte.
// Outside it is the text that the bytes are in UTF-8, where a backslash is doubled and a byte that is no text is `\xNN`.

const PLAIN = /^[^\\\u0080-\uffff]*$/;
const ASCII = /^[^\u0080-\uffff]*$/;
const ESCAPE = /\\(?:x([0-9a-f]{2})|\\)/g;

/** The text of a name or path that is given as a byte string. Every byte string has one, and no two have the same. */
export function pathText(bytes: string): string {
  if (PLAIN.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  const text = buffer.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(buffer)) return text.replaceAll('\\', '\\\\');
  return escapeBytes(buffer);
}

/** The byte string that `pathText` has made this text of. */
export function pathBytes(text: string): string {
  if (PLAIN.test(text)) return text;
  return utf8Bytes(text).replaceAll(ESCAPE, (_, hex?: string) =>
    hex === undefined ? '\\' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The byte string of a text in UTF-8. */
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

/** How many bytes the character at this place has; 0 when what stands there is none. */
function lengthOfCharacter(buffer: Buffer, at: number): number {
  const first = buffer[at] as number;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const piece = buffer.subarray(at, at + length);
  const sound = piece.length === length && Buffer.from(piece.toString('utf8'), 'utf8').equals(piece);
  return sound ? length : 0;
}
