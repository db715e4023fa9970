// Says whether packages and build still match what they were made from, by content, so that neither a checkout
// nor a copy confuses it the way file times would.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What node_modules is made from; the platform counts because a folder may be shared with a container. */
export function installFingerprint(root) {
  return digest(root, ['package-lock.json', '.npmrc'], `${process.platform} ${process.arch}`);
}

const BUILT_BY = [
  'bin/command-line.cjs',
  'scripts/build.mjs',
  'scripts/command-line.mjs',
  'scripts/entry-points.json',
  'scripts/keep-code.mjs',
  'scripts/lazy-packages.mjs',
  'scripts/past-faces.mjs',
  'scripts/small-packages.mjs',
  'scripts/tool-digests.mjs',
];

/** What dist is made from. */
export function buildFingerprint(root) {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
  return digest(root, ['package.json', 'package-lock.json', ...BUILT_BY, ...sources]);
}

/** Where the build records what it was made from. */
export const buildStamp = (root) => join(root, 'dist', '.stamp');

export const buildIsCurrent = (root) => readStamp(buildStamp(root)) === buildFingerprint(root);

/** The recorded fingerprint, or nothing where none was written. */
export function readStamp(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function digest(root, paths, seed = '') {
  const hash = createHash('sha256').update(seed);
  for (const path of paths) {
    const content = readFileSync(join(root, path));
    hash.update(`\n${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
