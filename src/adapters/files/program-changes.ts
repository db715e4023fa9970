// Owns: finding the files that a program changed. I1 A changed file is found by its status, which a program cannot set back;
// when there are too many files, every file that changed in the interval counts.
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { digestOfFile } from '../../disk/index.ts';
import type { ContentWritten } from '../../engine/index.ts';
import type { FileChanges } from '../../tools/index.ts';

const MAX_SEEN_FILES = 100_000;
const MAX_HASHED_FILES = 5_000;
const MAX_HASHED_BYTES = 512 * 1024 * 1024;
/** The clock of a file system may be this much behind. */
const CLOCK_SLACK_MS = 100;
/** Oka's own records and repository data hold no text that agents read. */
const SKIPPED: ReadonlySet<string> = new Set(['.git', '.oka']);
const READ_IN_OKA_FOLDER = ['agents', 'skills', 'graphs', 'procedures'];

interface FoundFiles {
  /** The status of each file, by path. */
  readonly files: ReadonlyMap<string, { readonly status: string; readonly bytes: number }>;
  /** Every path, also of folders, links and what else is there. */
  readonly paths: ReadonlySet<string>;
  readonly isComplete: boolean;
}

/** Compares the files of a workspace before and after a program. */
export function programChanges(workspace: string): FileChanges {
  return {
    start: async () => {
      const changedFrom = Date.now() - CLOCK_SLACK_MS;
      const before = await findFiles(workspace);
      return {
        finish: async () => {
          const after = await findFiles(workspace);
          const changed = [...after.files].filter(
            ([path, { status }]) => before.files.get(path)?.status !== status,
          );
          const made = [...after.paths].filter((path) => !before.paths.has(path));
          const bytes = changed.reduce((sum, [, file]) => sum + file.bytes, 0);
          const isListed =
            before.isComplete &&
            after.isComplete &&
            Math.max(changed.length, made.length) <= MAX_HASHED_FILES &&
            bytes <= MAX_HASHED_BYTES;
          if (!isListed) return [{ changedFrom, changedUntil: Date.now() + CLOCK_SLACK_MS }];
          const written: ContentWritten[] = made.map((path) => ({ path, place: { made: [basename(path)] } }));
          for (const [path] of changed) {
            const digest = await digestOfPlainFile(join(workspace, path));
            if (digest !== undefined) written.push({ digest, path, place: { made: [] } });
          }
          return written;
        },
      };
    },
  };
}

/** The digest of a file's content; undefined if it cannot be read. Does not follow a link. */
export async function digestOfPlainFile(file: string): Promise<string | undefined> {
  try {
    return (await lstat(file)).isFile() ? await digestOfFile(file) : undefined;
  } catch {
    return undefined;
  }
}

/** When the content or the status of a file last changed; undefined if there is no such file. */
export async function statusChangedAt(file: string): Promise<number | undefined> {
  return lstat(file).then(
    ({ ctimeMs }) => ctimeMs,
    () => undefined,
  );
}

async function findFiles(workspace: string): Promise<FoundFiles> {
  const files = new Map<string, { status: string; bytes: number }>();
  const paths = new Set<string>();
  const folders = ['', ...READ_IN_OKA_FOLDER.map((name) => join('.oka', name))];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(workspace, folder), { withFileTypes: true }).catch(() => []);
    const names: string[] = [];
    for (const entry of entries) {
      const path = join(folder, entry.name);
      paths.add(path);
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(path);
      } else if (entry.isFile()) names.push(path);
    }
    if (files.size + names.length > MAX_SEEN_FILES) return { files, paths, isComplete: false };
    const found = await Promise.all(
      names.map((path) => lstat(join(workspace, path), { bigint: true }).catch(() => undefined)),
    );
    for (const [i, path] of names.entries()) {
      const status = found[i];
      if (status === undefined) continue;
      const { ino, size, ctimeNs } = status;
      files.set(path, { status: `${ino}:${size}:${ctimeNs}`, bytes: Number(size) });
    }
  }
  return { files, paths, isComplete: true };
}
