import { join } from 'node:path';
import { build } from 'esbuild';
import { pastFaces } from '../scripts/past-faces.mjs';

/** Bundles the subject `oka` with the engine from src, as the product is built, and answers with the file's path. */
export async function bundleOka(bench, folder) {
  const outfile = join(folder, 'oka.mjs');
  await build({
    absWorkingDir: bench,
    entryPoints: ['subjects/oka.mjs'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'],
    // The driver is native; the built-in tools and kinds of runs are loaded on demand, and never by a bench.
    external: ['@photostructure/sqlite', '*/behaviour.ts'],
    plugins: [pastFaces],
    banner: {
      js: "import { createRequire as okaCreateRequire } from 'node:module'; const require = okaCreateRequire(import.meta.url);",
    },
  });
  return outfile;
}
