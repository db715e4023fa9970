// Bundles the command line and each face of the package into dist. Everything is bundled but what is native,
// because one file loads faster than a hundred.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildFingerprint, buildStamp } from './fingerprint.mjs';
import { pastFaces } from './past-faces.mjs';
import { toolDigests } from './tool-digests.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const faces = {
  index: 'src/index.ts',
  kernel: 'src/kernel/index.ts',
  ledger: 'src/ledger/index.ts',
  engine: 'src/engine/index.ts',
  graph: 'src/graph/index.ts',
  models: 'src/models/index.ts',
  schedule: 'src/schedule/index.ts',
  agent: 'src/agent/index.ts',
  runtime: 'src/runtime/index.ts',
  telemetry: 'src/adapters/telemetry/index.ts',
  daemon: 'src/daemon/main.ts',
};

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

/** A folder that is not there yet has no face to build. */
function existing(sources) {
  return Object.fromEntries(Object.entries(sources).filter(([, path]) => existsSync(join(root, path))));
}

const shared = {
  absWorkingDir: root,
  outdir: dist,
  write: false,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  mainFields: ['module', 'main'],
  // Native parts, and one that pg asks for and does without.
  external: ['@photostructure/sqlite', '@parcel/watcher', 'pg-native'],
  sourcemap: true,
  define: { __OKA_VERSION__: JSON.stringify(version) },
  // Bundled CommonJS packages call require for Node's own modules.
  banner: {
    js: "import { createRequire as okaCreateRequire } from 'node:module'; const require = okaCreateRequire(import.meta.url);",
  },
};

// The command line is built by itself: split only along its own lazy imports, it starts with the fewest files.
const fingerprint = buildFingerprint(root);
// A text, because an object would be put in front of every module.
shared.define.__OKA_BUILD__ = JSON.stringify(fingerprint.trim());
shared.define.__OKA_TOOL_DIGESTS__ = JSON.stringify(JSON.stringify(await toolDigests(root, shared)));
const builds = await Promise.all([
  build({
    ...shared,
    entryPoints: existing({ cli: 'src/cli/main.ts' }),
    plugins: [lazyChildProcess, pastFaces],
    minifyWhitespace: true,
    minifySyntax: true,
  }),
  build({ ...shared, entryPoints: existing(faces) }),
]).catch(() => process.exit(1)); // esbuild has printed the errors
const outputFiles = builds.flatMap((result) => result.outputFiles);

publish([
  ...outputFiles.map(({ path, contents }) => ({ name: basename(path), contents })),
  { name: 'version.txt', contents: `${version}\n` },
  { name: basename(buildStamp(root)), contents: fingerprint },
]);

/**
 * Replaces dist file by file, each by a rename, shared chunks before the entries that load them and leftovers last,
 * so that a command started meanwhile always finds one whole build. The stamp is the last file written.
 */
function publish(files) {
  mkdirSync(dist, { recursive: true });
  const isChunk = (file) => file.name.startsWith('chunk-');
  for (const { name, contents } of [...files.filter(isChunk), ...files.filter((file) => !isChunk(file))]) {
    const temporary = join(dist, `${name}.${process.pid}.tmp`);
    writeFileSync(temporary, contents);
    renameSync(temporary, join(dist, name));
  }
  const names = new Set([...files.map((file) => file.name), 'types']);
  for (const name of readdirSync(dist))
    if (!names.has(name)) rmSync(join(dist, name), { recursive: true, force: true });
}
