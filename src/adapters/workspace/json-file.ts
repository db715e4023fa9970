import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readJsonFile, replaceFile, withFileLock } from '../../disk/index.ts';

export { readJsonFile };

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
