import { closeSync, fdatasyncSync, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import { type EventAddress, mirrorLine } from '../../ledger/index.ts';
import { readLines, recordOf } from './read-lines.ts';

/**
 * Overwrites the lines of erased bodies in place. Concurrent appends do not interfere; if the file is replaced meanwhile,
 * it starts again.
 */
export function blankLines(file: string, addresses: readonly EventAddress[]): void {
  const wanted = new Set(addresses.map(({ stream, index }) => `${stream} ${index}`));
  for (let again = true; again; ) {
    const descriptor = openSync(file, 'r+');
    try {
      blank(file, descriptor, wanted);
      fdatasyncSync(descriptor);
      again = fstatSync(descriptor).ino !== statSync(file).ino;
    } finally {
      closeSync(descriptor);
    }
  }
}

function blank(file: string, descriptor: number, wanted: ReadonlySet<string>): void {
  for (const { line, offset } of readLines(file)) {
    const record = recordOf(line);
    if (record === undefined || !('event' in record)) continue;
    const { event } = record;
    if (event.bodyText === null || !wanted.has(`${event.stream} ${event.index}`)) continue;
    const bare = Buffer.from(mirrorLine({ ...event, bodyText: null, salt: null }));
    const padded = Buffer.alloc(Buffer.byteLength(line), ' ');
    bare.copy(padded);
    writeSync(descriptor, padded, 0, padded.length, offset);
  }
}
