// Owns: the last bytes of an archive, which authenticate all bytes before them. gzip alone does not detect every changed bit:
// its header and the bits that pad its last byte have no checksum. The seal is an empty gzip member whose extra field holds the
// SHA-256 of everything before it, so `tar` and `gunzip` read an archive as they read any other.
import { type FileHandle, open } from 'node:fs/promises';

const HEADER = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff]);
/** The length of the extra field, then the name and the length of its one part. */
const EXTRA = Buffer.from([36, 0, 0x4f, 0x4b, 32, 0]);
/** An empty last block, then a checksum and a size of 0. */
const EMPTY = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);

const SEAL_BYTES = HEADER.length + EXTRA.length + 32 + EMPTY.length;

/** The seal of an archive whose bytes have this digest, in hex. */
export function sealOf(digest: string): Buffer {
  return Buffer.concat([HEADER, EXTRA, Buffer.from(digest, 'hex'), EMPTY]);
}

/** The last bytes of a file, which hold its seal, and the number of bytes before them. */
export async function readSeal(file: string): Promise<{ readonly seal: Buffer; readonly before: number }> {
  const handle: FileHandle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const before = Math.max(0, size - SEAL_BYTES);
    const seal = Buffer.alloc(size - before);
    await handle.read(seal, 0, seal.length, before);
    return { seal, before };
  } finally {
    await handle.close();
  }
}

/** True when these bytes have the form of a seal. Does not check the digest. */
export function isSeal(bytes: Buffer): boolean {
  const digest = bytes.subarray(HEADER.length + EXTRA.length, HEADER.length + EXTRA.length + 32);
  return bytes.length === SEAL_BYTES && sealOf(digest.toString('hex')).equals(bytes);
}
