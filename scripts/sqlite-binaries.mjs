// SQLite's driver is a native package with binaries of eight platforms and all sources. Oka carries the driver in its bundle
// and, as files of their own, the binaries of the platforms that it supports.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = '@photostructure/sqlite';
const PREBUILDS = {
  'darwin-arm64': ['glibc'],
  'darwin-x64': ['glibc'],
  'linux-arm64': ['glibc', 'musl'],
  'linux-x64': ['glibc', 'musl'],
};

/** Takes the place of the driver's loader. It is called with the folder above the bundle. A binary for another C library does not load. */
const LOADER = `
const { existsSync } = require('node:fs');
module.exports = (folder) => {
  const platform = process.platform + '-' + process.arch;
  const libraries = existsSync('/etc/alpine-release') ? ['musl', 'glibc'] : ['glibc', 'musl'];
  const files = libraries.map((name) => folder + '/dist/sqlite-' + platform + '-' + name + '.node').filter(existsSync);
  if (files.length === 0) throw new Error('Oka has no SQLite for ' + platform + ' in ' + folder + '/dist');
  const failures = [];
  for (const file of files) {
    try {
      return require(file);
    } catch (error) {
      failures.push(error.message);
    }
  }
  throw new Error('SQLite does not load: ' + failures.join('; '));
};
`;

export const sqliteDriver = {
  name: 'sqlite-driver',
  setup(bundler) {
    const namespace = 'sqlite-loader';
    bundler.onResolve({ filter: /^node-gyp-build$/ }, ({ path }) => ({ path, namespace }));
    bundler.onLoad({ filter: /.*/, namespace }, () => ({ contents: LOADER }));
  },
};

/** The binaries, by the names that the loader looks for; none in a build without the driver. */
export function sqliteBinaries(root, { inputs }) {
  if (!Object.keys(inputs).some((path) => path.includes(PACKAGE))) return [];
  return Object.entries(PREBUILDS).flatMap(([platform, libraries]) =>
    libraries.map((libc) => ({
      name: `sqlite-${platform}-${libc}.node`,
      contents: readFileSync(
        join(root, 'node_modules', PACKAGE, 'prebuilds', platform, `@photostructure+sqlite.${libc}.node`),
      ),
    })),
  );
}
