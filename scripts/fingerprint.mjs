// Says whether packages and build still match what they were made from, by content, so that neither a checkout
// nor a copy confuses it the way file times would.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What node_modules is made from; the platform counts because a folder may be shared with a container. */
export function installFingerprint(root) {
  return digest(root, ['package-lock.json', '.npmrc'], `${process.platform} ${process.arch}`);
}

const BUILT_BY = [
  'bin/command-line.cjs',
  'scripts/build-web.mjs',
  'scripts/build.mjs',
  'scripts/command-line.mjs',
  'scripts/entry-points.json',
  'scripts/export-verifier.mjs',
  'scripts/keep-code.mjs',
  'scripts/lazy-packages.mjs',
  'scripts/licences.mjs',
  'scripts/past-faces.mjs',
  'scripts/small-packages.mjs',
  'scripts/sqlite-binaries.mjs',
  'scripts/tool-digests.mjs',
];

/** What dist is made from. */
export function buildFingerprint(root) {
  return digest(root, [
    'package.json',
    'package-lock.json',
    ...BUILT_BY,
    ...sourcesIn(root, 'src'),
    ...sourcesIn(root, 'web'),
  ]);
}

/** Files of the command line that the web app uses too. */
const SHARED_WITH_WEB = ['src/api/output-text.ts', 'src/api/short-id.ts'];

/** What dist/web is made from. */
export function webFingerprint(root) {
  return digest(root, [
    'package-lock.json',
    'scripts/build-web.mjs',
    ...SHARED_WITH_WEB,
    ...sourcesIn(root, 'web'),
  ]);
}

/** A checkout of a test may lack a folder. */
function sourcesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test\.tsx?|md)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
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
