// Bundles the command line, the daemon and the entry points of the library into dist. They share one copy of the code.
// Packages are bundled, because one file loads faster than a hundred, and because nobody has to install them.
// bundled-packages.json lists those that sources may import; only those under "optionalDependencies" are installed.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildWeb } from './build-web.mjs';
import { buildCommandLine } from './command-line.mjs';
import { exportVerifier } from './export-verifier.mjs';
import { buildFingerprint, buildStamp } from './fingerprint.mjs';
import { lazyImportFaults } from './lazy-packages.mjs';
import { licences } from './licences.mjs';
import { pastFaces } from './past-faces.mjs';
import { smallPackages } from './small-packages.mjs';
import { sqliteBinaries, sqliteDriver } from './sqlite-binaries.mjs';
import { toolDigests } from './tool-digests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const { version, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The entry points of the library, by the names in the `exports` of package.json. */
const library = JSON.parse(readFileSync(join(root, 'scripts', 'entry-points.json'), 'utf8'));
const programs = { daemon: 'src/daemon/main.ts' };

/** Entry points of worker threads, which the code beside them starts by name. */
const workers = { 'hash-worker': 'src/adapters/workspace-tree/hash-worker.ts' };

/** Commander loads child_process for a kind of subcommand that we do not have; here it is loaded only if ever used. */
const lazyChildProcess = {
  name: 'lazy-child-process',
  setup(bundler) {
    bundler.onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes('commander') ? { path: 'child_process', namespace: 'lazy' } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'lazy' }, () => ({
      contents: "module.exports = { get spawn() { return require('child_process').spawn; } };",
    }));
  },
};

/** Zod brings its messages in forty languages, a third of its size; ours are in one. */
const englishOnly = {
  name: 'english-only',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** A checkout of a test may lack some of the sources. */
function existing(sources) {
  return Object.fromEntries(Object.entries(sources).filter(([, path]) => existsSync(join(root, path))));
}

const shared = {
  absWorkingDir: root,
  outdir: dist,
  write: false,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  mainFields: ['module', 'main'],
  // Installed packages, an optional part of pg, and binaries of a watcher that was built on this machine.
  external: [...Object.keys(optionalDependencies), 'pg-native', './build/*/watcher.node'],
  sourcemap: true,
  metafile: true,
  define: { __OKA_VERSION__: JSON.stringify(version) },
};

const modules = {
  ...shared,
  splitting: true,
  format: 'esm',
  // Bundled CommonJS packages call require for Node's own modules.
  banner: {
    js: "import { createRequire as okaCreateRequire } from 'node:module'; const require = okaCreateRequire(import.meta.url);",
  },
};

const fingerprint = buildFingerprint(root);
// A text, because an object would be put in front of every module.
shared.define.__OKA_BUILD__ = JSON.stringify(fingerprint.trim());
shared.define.__OKA_TOOL_DIGESTS__ = JSON.stringify(JSON.stringify(await toolDigests(root, modules)));
shared.define.__OKA_EXPORT_VERIFIER__ = JSON.stringify(await exportVerifier(root));
const [results] = await Promise.all([
  Promise.all([
    buildCommandLine({
      ...shared,
      main: 'src/cli/main.ts',
      together: ['src/cli/commands/runs.ts', 'src/runtime/index.ts'],
      entries: existing({ ...library, ...programs }),
      plugins: [lazyChildProcess, englishOnly, pastFaces, smallPackages, sqliteDriver],
      minifyWhitespace: true,
      minifySyntax: true,
    }),
    build({ ...modules, entryPoints: existing(workers), plugins: [englishOnly] }),
  ]),
  buildWeb(root, dist),
]).catch((error) => {
  // What is wrong with the sources has been printed.
  if (error.errors === undefined) throw error;
  process.exit(1);
});

const faults = new Set(results.flatMap(({ metafile }) => lazyImportFaults(metafile, root)));
if (faults.size > 0) {
  process.stderr.write([...faults].map((fault) => `✘ ${fault}\n`).join(''));
  process.exit(1);
}
publish([
  ...results
    .flatMap(({ outputFiles }) => outputFiles)
    .map(({ path, contents }) => ({ name: basename(path), contents })),
  // For programs that import the command line instead of starting it.
  { name: 'cli.js', contents: "export { main } from './cli.cjs';\n" },
  ...Object.keys(existing(library)).map((name) => ({
    name: `${name}.js`,
    contents: moduleOf(name, results[0]),
  })),
  ...sqliteBinaries(root, results[0].metafile),
  {
    name: 'LICENCES.txt',
    contents: licences(
      root,
      results.map(({ metafile }) => metafile),
    ),
  },
  { name: 'version.txt', contents: `${version}\n` },
  { name: basename(buildStamp(root)), contents: fingerprint },
]);
// Without it, commands start more slowly.
spawnSync(process.execPath, [join(root, 'scripts', 'keep-code.mjs'), dist], {
  stdio: ['ignore', 'ignore', 'inherit'],
});

/** An ES module that exports the names of an entry point, which is a CommonJS file or a piece of the command line. */
function moduleOf(name, { metafile, packed }) {
  const names = metafile.outputs[`dist/${name}.js`].exports;
  const start = packed.has(name)
    ? `import { pieces } from './cli.cjs';\nconst entry = pieces['${name}'];`
    : `import entry from './${name}.cjs';`;
  return `${start}\nexport const { ${[...names].sort().join(', ')} } = entry;\n`;
}

/**
 * Replaces dist file by file, each by a rename, what others load before the entries and leftovers last,
 * so that a command started meanwhile always finds one whole build. The stamp is the last file written. Declarations of the
 * build before are leftovers too.
 */
function publish(files) {
  mkdirSync(dist, { recursive: true });
  const isLoadedLater = ({ name }) => /-[0-9A-Z]{8}\.c?js/.test(name);
  const inOrder = [...files.filter(isLoadedLater), ...files.filter((file) => !isLoadedLater(file))];
  for (const { name, contents } of inOrder) {
    const temporary = join(dist, `${name}.${process.pid}.tmp`);
    writeFileSync(temporary, contents);
    renameSync(temporary, join(dist, name));
  }
  const names = new Set([...files.map((file) => file.name), 'cli.code', 'web']);
  for (const name of readdirSync(dist))
    if (!names.has(name)) rmSync(join(dist, name), { recursive: true, force: true });
}
