// Owns: which files of a folder a command names.
import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBelow } from './is-below.ts';

const MAX_WORD_LENGTH = 4_096;
/** What interpreters append to a name without an extension. */
const EXTENSIONS = ['.js', '.cjs', '.mjs', '.json', '.ts', '.py'];
/** What interpreters run when they get a folder. */
const ENTRIES = ['package.json', 'index.js', '__main__.py'];

/**
 * The real paths of the files in `root` that words of a command name: as they are, as the value of an option, and as
 * interpreters complete them. A link in `root` counts wherever it leads.
 */
export function namedFiles(words: readonly string[], cwd: string, root: string): readonly string[] {
  const found = new Set<string>();
  for (const word of words)
    for (const name of namesIn(word)) {
      for (const path of filesAt(resolve(cwd, name))) {
        const real = realpathSync.native(path);
        if (isBelow(root, path) || isBelow(root, real)) found.add(real);
      }
    }
  return [...found].sort();
}

/** The parts of a word that may be a path. */
function namesIn(word: string): readonly string[] {
  if (word === '' || word.length > MAX_WORD_LENGTH || word.includes('\0')) return [];
  const value = word.indexOf('=') + 1;
  const names = [
    word,
    ...(value > 0 ? [word.slice(value)] : []),
    ...(/^-[A-Za-z]./.test(word) ? [word.slice(2)] : []),
    ...(word.startsWith('@') ? [word.slice(1)] : []),
  ];
  return names.filter((name) => name !== '').map((name) => (name.startsWith('file:') ? pathOf(name) : name));
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

function filesAt(path: string): readonly string[] {
  const kind = kindOf(path);
  if (kind === 'file') return [path];
  if (kind === 'folder') return ENTRIES.map((name) => join(path, name)).filter(isFile);
  const module = path.replace(/[^/]*$/, (name) => name.replaceAll('.', '/'));
  return [
    ...EXTENSIONS.map((extension) => path + extension),
    ...(module === path ? [] : [`${module}.py`, join(module, '__main__.py')]),
  ].filter(isFile);
}

function isFile(path: string): boolean {
  return kindOf(path) === 'file';
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile()) return 'file';
    return stats?.isDirectory() ? 'folder' : undefined;
  } catch {
    return undefined;
  }
}
