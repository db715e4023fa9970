import { closeSync, openSync, renameSync, rmSync, statSync } from 'node:fs';

/** Work under a lock takes milliseconds, so an older lock was left by a process that was killed. */
const MAX_AGE_MS = 10_000;
const POLL_MS = 5;

/** Runs work that changes a file, while no other process does the same. */
export function withFileLock<T>(file: string, work: () => T): T {
  const lock = `${file}.lock`;
  while (!acquire(lock)) {
    removeAbandoned(lock);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function acquire(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Renames first: of several processes that find the same abandoned lock, one gets it. */
function removeAbandoned(lock: string): void {
  const found = statSync(lock, { throwIfNoEntry: false });
  if (found === undefined || performance.timeOrigin + performance.now() - found.mtimeMs < MAX_AGE_MS) return;
  const taken = `${lock}.${process.pid}`;
  try {
    renameSync(lock, taken);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  // Another process was faster, and this is its new lock.
  if (statSync(taken).ino !== found.ino) renameSync(taken, lock);
  else rmSync(taken);
}
