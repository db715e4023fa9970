import { constants, createReadStream, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, lstat, mkdir, open, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startDigest } from '../../kernel/index.ts';
import { type BackupEntry, PEOPLE_FILES, PEOPLE_FOLDERS, VAULT, whyLeftOut } from './manifest.ts';

/** Something in `.oka` that an archive cannot hold. */
export interface SkippedFile {
  readonly path: string;
  readonly why: string;
}

/** Copies the files that people wrote from one `.oka` folder to another. Returns the copied and the skipped paths. */
export async function copyPeopleFiles(
  from: string,
  to: string,
): Promise<{ readonly paths: readonly string[]; readonly skipped: readonly SkippedFile[] }> {
  const paths: string[] = [];
  const skipped: SkippedFile[] = [];
  const visit = async (path: string): Promise<void> => {
    const found = lstatSync(join(from, path), { throwIfNoEntry: false });
    if (found === undefined) return;
    const leftOut = whyLeftOut(path);
    if (leftOut !== undefined) {
      skipped.push({ path, why: leftOut });
      return;
    }
    if (found.isDirectory()) {
      for (const name of readdirSync(join(from, path)).sort()) await visit(`${path}/${name}`);
      return;
    }
    if (!found.isFile() || /[\0\\]/.test(path)) {
      const why = found.isSymbolicLink() ? 'a backup holds no links' : 'a backup holds regular files only';
      skipped.push({ path, why: found.isFile() ? 'its name has a backslash' : why });
      return;
    }
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 });
    await copyFile(join(from, path), join(to, path), constants.COPYFILE_EXCL);
    paths.push(path);
  };
  for (const path of [...PEOPLE_FILES, ...PEOPLE_FOLDERS]) await visit(path);
  return { paths, skipped };
}

/** The vault file of a workspace, which is small; undefined if there is none. */
export function readVault(directory: string): Uint8Array | undefined {
  try {
    return readFileSync(join(directory, VAULT));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeVault(directory: string, bytes: Uint8Array): Promise<void> {
  await writeFile(join(directory, VAULT), bytes, { mode: 0o600, flag: 'wx' });
}

/** Writes lines to a new file. */
export async function writeLines(file: string, lines: Iterable<string>): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    let text = '';
    for (const line of lines) {
      text += `${line}\n`;
      if (text.length < 1 << 20) continue;
      await handle.writeFile(text);
      text = '';
    }
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** The manifest entry of a file. */
export async function describeFile(directory: string, path: string): Promise<BackupEntry> {
  const file = join(directory, path);
  const { mode } = await lstat(file);
  const running = startDigest();
  let bytes = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    running.update(chunk);
    bytes += chunk.length;
  }
  const isExecutable = (mode & 0o100) !== 0;
  return { path, bytes, digest: running.end(), ...(isExecutable ? { executable: true } : {}) };
}
