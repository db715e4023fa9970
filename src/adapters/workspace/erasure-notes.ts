// Owns: which erasures are under way, in files of `.oka/run`, so that the next command finishes one that a crash interrupted.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning, makePrivateFolder, readJsonFile, replaceFile } from '../../disk/index.ts';
import type { EventAddress } from '../../ledger/index.ts';

const NOTE = /^erasure-(?<pid>\d+)-\d+\.json$/;
let count = 0;

/** Notes an erasure before it begins. Returns a function that removes the note when nothing holds the content any more. */
export function noteErasure(directory: string, events: readonly EventAddress[]): () => void {
  count += 1;
  const folder = join(directory, 'run');
  makePrivateFolder(folder);
  const file = join(folder, `erasure-${process.pid}-${count}.json`);
  replaceFile(file, JSON.stringify(events));
  return () => rmSync(file, { force: true });
}

/** The erasures of processes that have ended, and a function that removes their notes; undefined if there is none. */
export function unfinishedErasures(
  directory: string,
): { readonly events: readonly EventAddress[]; readonly finish: () => void } | undefined {
  const files = notesOf(join(directory, 'run'));
  if (files.length === 0) return undefined;
  const events = files.flatMap((file) => (readJsonFile(file) ?? []) as EventAddress[]);
  return {
    events,
    finish: () => {
      for (const file of files) rmSync(file, { force: true });
    },
  };
}

function notesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => {
        const pid = NOTE.exec(name)?.groups?.['pid'];
        return pid !== undefined && !isRunning(Number(pid));
      })
      .map((name) => join(folder, name));
  } catch {
    // Without the folder there was no erasure.
    return [];
  }
}
