// Owns: reading a file that somebody else may have put there: a clone, an archive, another program.
// I1 Reading never waits: a pipe, a socket or a device is refused before it is opened, and opened without blocking if it is put
// there in between. I2 Only a regular file up to a size is read, and it is the one that the path leads to.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { join, relative } from 'node:path';
import { OkaError, parseJson } from '../kernel/index.ts';
import { isBelow } from './is-below.ts';
import { linkRefused } from './private-files.ts';

/** Why a file was not read. */
export type FileRefusal = 'missing' | 'link' | 'not_a_file' | 'too_large' | 'unreadable';

interface ReadOptions {
  readonly maxBytes: number;
  /** Where the file has to be. Without it links are followed anywhere, as users may arrange their own folder. */
  readonly root?: string;
  /** Below the root: `refuse` every link, or follow those that stay `inside` it. Default: `refuse`. */
  readonly links?: 'refuse' | 'inside';
  /** Reads only the beginning of a file that is too large. */
  readonly cut?: boolean;
}

type ReadResult =
  | { readonly bytes: Buffer; readonly size: number }
  | { readonly refused: FileRefusal; readonly cause: NodeJS.ErrnoException | undefined };

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function readRegularFile(path: string, options: ReadOptions): ReadResult {
  try {
    const real = placeOf(path, options);
    if (real === undefined) return refuse('link');
    const found = lstatSync(real);
    if (!found.isFile()) return refuse('not_a_file');
    const descriptor = openSync(real, FLAGS);
    try {
      const opened = fstatSync(descriptor);
      if (!isSame(opened, lstatSync(real)) || placeOf(path, options) !== real) return refuse('link');
      if (!opened.isFile()) return refuse('not_a_file');
      if (opened.size > options.maxBytes && options.cut !== true) return refuse('too_large');
      return { bytes: readFrom(descriptor, Math.min(opened.size, options.maxBytes)), size: opened.size };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return refuse(refusalOf(path, error), error);
  }
}

/** Where a path leads; undefined if it leads there through a link that is not followed. */
function placeOf(path: string, { root, links = 'refuse' }: ReadOptions): string | undefined {
  const real = realpathSync.native(path);
  if (root === undefined) return real;
  const realRoot = realpathSync.native(root);
  const isThere =
    links === 'inside' ? isBelow(realRoot, real) : real === join(realRoot, relative(root, path));
  return isThere ? real : undefined;
}

function isSame(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** Reads up to the size that the file had when it was opened. */
function readFrom(descriptor: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let length = 0;
  while (length < size) {
    const read = readSync(descriptor, bytes, length, size - length, length);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function refuse(refused: FileRefusal, cause?: unknown): ReadResult {
  return { refused, cause: cause as NodeJS.ErrnoException | undefined };
}

function refusalOf(path: string, error: unknown): FileRefusal {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      // A link that leads nowhere is there.
      return lstatSync(path, { throwIfNoEntry: false }) === undefined ? 'missing' : 'link';
    case 'ENOTDIR':
      return 'missing';
    case 'ELOOP':
      return 'link';
    case 'ENXIO':
      return 'not_a_file';
    case undefined:
      throw error;
    default:
      return 'unreadable';
  }
}

const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** The text of a file; undefined if it does not exist. */
export function readTextFile(file: string, options: Partial<ReadOptions> = {}): string | undefined {
  const { maxBytes = MAX_TEXT_BYTES } = options;
  const found = readRegularFile(file, { ...options, maxBytes });
  if ('bytes' in found) return found.bytes.toString('utf8');
  const { refused, cause } = found;
  if (refused === 'missing') return undefined;
  if (refused === 'link') throw linkRefused(file);
  const [why, next] = {
    not_a_file: ['it is not a regular file', 'Replace it with a text file, or remove it'],
    too_large: [`it is larger than ${maxBytes} bytes`, 'Shorten it'],
    unreadable: [`the system says ${cause?.code}`, 'Check its permissions'],
  }[refused] as [string, string];
  throw new OkaError('config.unreadable', `Cannot read ${file}: ${why}. ${next}.`, { data: { file }, cause });
}

/** The content of a JSON file; undefined if it does not exist. Unreadable content is an error, never an empty value. */
export function readJsonFile(file: string, options?: Partial<ReadOptions>): unknown {
  const text = readTextFile(file, options);
  if (text === undefined) return undefined;
  try {
    return parseJson(text);
  } catch (cause) {
    const message = `${file} is not JSON: ${(cause as Error).message}. Fix it or remove it.`;
    throw new OkaError('config.malformed', message, { data: { file }, cause });
  }
}
