// Owns: reading a user's file, where a cloned folder may contain a link instead.
// I1 No part of the path below the root is a link, and the opened file is the one at that path.
import { constants, type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Why a file was not read. */
export type PlainFileRefusal = 'missing' | 'link' | 'not_a_file' | 'too_large' | 'not_text' | 'unreadable';

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
  try {
    const expected = join(await realpath(root), path);
    if ((await realpath(expected)) !== expected) return { refused: 'link' };
    const handle = await open(expected, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await isSameFile(handle, expected))) return { refused: 'link' };
      return await readText(handle, options);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return { refused: refusalOf(error) };
  }
}

async function readText(
  handle: FileHandle,
  { maxBytes, cut = false }: { readonly maxBytes: number; readonly cut?: boolean },
): Promise<PlainFile> {
  const { size, isFile } = await handle
    .stat()
    .then((found) => ({ size: found.size, isFile: found.isFile() }));
  if (!isFile) return { refused: 'not_a_file' };
  if (size > maxBytes && !cut) return { refused: 'too_large' };
  const buffer = Buffer.alloc(Math.min(size, maxBytes));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  const truncated = size > maxBytes;
  const text = decode(buffer.subarray(0, bytesRead), truncated);
  return text === undefined ? { refused: 'not_text' } : { text, bytes: size, truncated };
}

/** Whether the open file is still the one at this path, and no link was put there in between. */
async function isSameFile(handle: FileHandle, path: string): Promise<boolean> {
  try {
    return (await readlink(`/proc/self/fd/${handle.fd}`)) === path;
  } catch {
    // Only Linux exposes open files as links.
    const [held, found] = [await handle.stat(), await lstat(path)];
    return held.dev === found.dev && held.ino === found.ino && (await realpath(path)) === path;
  }
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

function refusalOf(error: unknown): PlainFileRefusal {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'missing';
    case 'ELOOP':
      return 'link';
    case 'EISDIR':
    case 'ENXIO':
      return 'not_a_file';
    case undefined:
      throw error;
    default:
      return 'unreadable';
  }
}
