import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const MAX_CONFIG_BYTES = 64 * 1024;
/** Sections and keys of a repository's configuration that make git run nothing. */
const HARMLESS: readonly RegExp[] = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf)$/,
  /^extensions\.(objectformat|partialclone|refstorage)$/,
  /^remote\.(url|fetch|pushurl|promisor|partialclonefilter|tagopt)$/,
  /^branch\.(remote|merge|rebase)$/,
  /^user\.(name|email)$/,
  /^submodule\.(url|active)$/,
  /^init\.defaultbranch$/,
];

/** True for a repository whose configuration names no program and that has no hooks. */
export function isPlainRepository(path: string): boolean {
  try {
    const folder = lstatSync(path).isFile() ? targetOf(path) : path;
    return (
      lstatSync(folder).isDirectory() &&
      hooksAreSamples(join(folder, 'hooks')) &&
      !exists(join(folder, 'config.worktree')) &&
      !exists(join(folder, 'commondir')) &&
      configIsHarmless(join(folder, 'config'))
    );
  } catch {
    return false;
  }
}

/** The repository that a `.git` file names. */
function targetOf(file: string): string {
  const [, written] = /^gitdir: (.+)\n?$/.exec(readFileSync(file, 'utf8')) ?? [];
  return resolve(file, '..', written as string);
}

function hooksAreSamples(folder: string): boolean {
  if (!exists(folder)) return true;
  return readdirSync(folder).every((name) => name.endsWith('.sample'));
}

export function configIsHarmless(file: string): boolean {
  const stat = lstatSync(file);
  if (!stat.isFile() || stat.size > MAX_CONFIG_BYTES) return false;
  let section = '';
  for (const raw of readFileSync(file, 'utf8').split('\n')) {
    const line = raw.trim();
    if (line === '' || /^[#;]/.test(line)) continue;
    // A continued line could hide a key from this reader.
    if (line.endsWith('\\')) return false;
    const heading = /^\[([a-z]+)(?: "[^"\\]*")?\]$/i.exec(line);
    if (heading !== null) {
      section = (heading[1] as string).toLowerCase();
      continue;
    }
    const setting = /^([a-z]+)\s*=\s*(.*)$/i.exec(line);
    if (setting === null) return false;
    const [, key = '', value = ''] = setting;
    if (!HARMLESS.some((pattern) => pattern.test(`${section}.${key.toLowerCase()}`))) return false;
    // Such a transport is a command.
    if (/^"?\s*ext::/i.test(value)) return false;
  }
  return true;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
