import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { pastFaces } from '../scripts/past-faces.mjs';

const SUBJECTS = ['oka', 'oka-graph', 'context', 'chat', 'http', 'drafts', 'postgres-commit'];

/** Bundles the subjects that import src, as the product is built, and answers with their paths by name. */
export async function bundleOka(bench, folder) {
  await build({
    absWorkingDir: bench,
    entryPoints: SUBJECTS.map((name) => `subjects/${name}.mjs`),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    // The driver is native; the built-in tools and kinds of runs are loaded on demand, and never by a bench.
    external: ['@photostructure/sqlite', '@parcel/watcher', '*/behaviour.ts'],
    plugins: [pastFaces],
    banner: {
      js: "import { createRequire as okaCreateRequire } from 'node:module'; const require = okaCreateRequire(import.meta.url);",
    },
  });
  copyFileSync(join(bench, 'subjects', 'http-client.mjs'), join(folder, 'http-client.mjs'));
  // The subjects start it by this name.
  await build({
    absWorkingDir: bench,
    entryPoints: ['../src/adapters/workspace-tree/hash-worker.ts'],
    outfile: join(folder, 'hash-worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
  });
  return Object.fromEntries(SUBJECTS.map((name) => [name, join(folder, `${name}.mjs`)]));
}
