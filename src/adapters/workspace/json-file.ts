import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { replaceFile } from '../../disk/index.ts';
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

/** Replaces a JSON file atomically, readable by its owner only. */
export function writeJsonFile(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
