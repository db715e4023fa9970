// Owns: reading a user's text file, where a cloned folder may contain a link or a pipe instead.
import { join } from 'node:path';
import { type FileRefusal, readRegularFile } from '../../disk/index.ts';

/** Why a file was not read. */
export type PlainFileRefusal = FileRefusal | 'not_text';

/** The message and the next step for a file that was not read. */
export function explainRefusal(
  refusal: PlainFileRefusal,
  { maxBytes, shorten }: { readonly maxBytes: number; readonly shorten: string },
): { readonly message: string; readonly next: string } {
  const [message, next] = {
    missing: ['the file has just been removed', 'Try again.'],
    link: ['it is a link, and links are not followed here', 'Replace it with the file itself.'],
    not_a_file: ['it is not a regular file', 'Replace it with a text file.'],
    too_large: [`it is larger than ${maxBytes} bytes`, shorten],
    not_text: ['it is not UTF-8 text', 'Save it as UTF-8.'],
    unreadable: ['it cannot be read', 'Check its permissions.'],
  }[refusal] as [string, string];
  return { message, next };
}

/** The text of a file, or why there is none. */
type PlainFile =
  | { readonly text: string; readonly bytes: number; readonly truncated: boolean }
  | { readonly refused: PlainFileRefusal };

/** Reads a regular text file below `root` without following links. Rejects a file over `maxBytes`, or truncates it with `cut`. */
export async function readPlainFile(
  root: string,
  path: string,
  options: { readonly maxBytes: number; readonly cut?: boolean },
): Promise<PlainFile> {
  const found = readRegularFile(join(root, path), { ...options, root });
  if ('refused' in found) return { refused: found.refused };
  const { bytes, size } = found;
  const truncated = size > bytes.length;
  const text = decode(bytes, truncated);
  return text === undefined ? { refused: 'not_text' } : { text, bytes: size, truncated };
}

/** Decodes UTF-8; drops an incomplete character at a truncated end. */
function decode(bytes: Uint8Array, truncated: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: truncated });
  } catch {
    return undefined;
  }
}
