import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile, withFileLock } from '../../disk/index.ts';
import { OkaError, parseJson } from '../../kernel/index.ts';

/** Reads a JSON file; undefined if it does not exist. Unreadable content is an error, never an empty value. */
export function readJsonFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new OkaError(
      'config.unreadable',
      `${file} cannot be read (${(error as NodeJS.ErrnoException).code}). Check its permissions.`,
      { data: { file }, cause: error },
    );
  }
  try {
    return parseJson(text);
  } catch (cause) {
    throw new OkaError(
      'config.malformed',
      `${file} is not JSON: ${(cause as Error).message}. Fix it or remove it.`,
      { data: { file }, cause },
    );
  }
}

/** Changes a JSON file that several processes change. Nothing is written if `change` returns the content that it got. */
export function changeJsonFile<T>(file: string, change: (content: T | undefined) => T | undefined): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  withFileLock(file, () => {
    const content = readJsonFile(file) as T | undefined;
    const changed = change(content);
    if (changed !== undefined && changed !== content) writeJsonFile(file, changed);
  });
}

/** Replaces a JSON file atomically, readable by its owner only. */
export function writeJsonFile(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
