// One set-up at a time per checkout. The lock file has one line `host pid` for each process that writes: the set-up
// itself and the npm or build it started, which may outlive it. It is stale once none of them runs.

import { appendFileSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { showProgress } from './show-progress.mjs';

const pollMs = 200;
const unwrittenForMs = 5000;

/** Waits until no other set-up runs, then holds the lock until `release`. */
export async function takeSetupLock(root) {
  const path = join(root, '.setup', 'lock');
  if (!tryToTake(path)) {
    const waiting = (async () => {
      while (!tryToTake(path)) await sleep(pollMs);
    })();
    await showProgress(
      'Waiting for another set-up of this folder (if there is none, delete .setup)',
      waiting,
    );
  }
  return {
    include: (pid) => appendFileSync(path, lineFor(pid)),
    release: () => rmSync(path, { force: true }),
  };
}

const lineFor = (pid) => `${hostname()} ${pid}\n`;

function tryToTake(path) {
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(path, lineFor(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  return isStale(path) && breakLock(path) && tryToTake(path);
}

function isStale(path) {
  const held = readIfThere(path);
  if (held === undefined) return false;
  if (held === '') return ageMs(path) > unwrittenForMs;
  return held
    .trim()
    .split('\n')
    .every((writer) => {
      const [host, pid] = writer.split(' ');
      return host === hostname() && !isRunning(Number(pid));
    });
}

const ageMs = (path) => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

/** Removes a stale lock. Only one process at a time may do so, and it looks again first, so that no fresh lock goes. */
function breakLock(path) {
  const breaking = `${path}.breaking`;
  try {
    mkdirSync(breaking);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  if (isStale(path)) rmSync(path, { force: true });
  rmdirSync(breaking);
  return true;
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
