// How a group measures a subject.

import { closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { quickest } from './subjects/workload.mjs';

export const SPEED_UP = 'baseline/ours';
const RESUMES = 5;

/** A subject that is run once, in an empty folder. */
export const once = (context, subject, workload, ...rest) => ({
  measure: () => context.run(subject, workload, context.newFolder(), ...rest),
});
/** The same for a peer, which may be left out. */
export const peer = (context, subject, workload, ...rest) => ({
  ...once(context, subject, workload, ...rest),
  peer: true,
});

/** A peer that needs a server: one of its own for the time of a measurement, so that none runs beside the others. */
export const served = (context, startServer, measure) => ({
  peer: true,
  async measure() {
    const { url, stop } = await startServer(context.newFolder());
    try {
      return await measure(url);
    } finally {
      await stop();
    }
  },
});

/** A resume changes what it resumes, so each one gets a fresh process and a fresh copy. */
export async function resumeCopies(context, subject, killed, ...rest) {
  const times = [];
  for (let i = 0; i < RESUMES; i++) {
    const copy = context.newFolder();
    copySynced(killed, copy);
    times.push((await context.run(subject, 'resume', copy, ...rest)).resumeMs);
  }
  return { resumeMs: quickest(times) };
}

/** Copies a folder to the disk, so that whoever opens it does not pay for writing the copy. */
function copySynced(from, to) {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, source));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
    const descriptor = openSync(target, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}
