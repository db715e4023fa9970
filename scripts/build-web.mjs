// Builds the web app into dist/web. Nothing is built if neither its sources nor its packages changed.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readStamp, webFingerprint } from './fingerprint.mjs';

/** A checkout of a test may lack the web app. */
export async function buildWeb(root, dist) {
  if (!existsSync(join(root, 'web', 'index.html'))) return;
  const target = join(dist, 'web');
  const stamp = join(target, '.stamp');
  const fingerprint = webFingerprint(root);
  if (readStamp(stamp) === fingerprint) return;
  const made = join(dist, `.web.${process.pid}`);
  try {
    await bundle(join(root, 'web'), made);
    writeFileSync(join(made, '.stamp'), fingerprint);
    replaceFiles(made, target);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

async function bundle(root, outDir) {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')]);
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react({ jsxImportSource: '#web' })],
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2023',
      // The policy of the pages allows no data: addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // A test reads it to add up the sizes of each page.
      manifest: 'manifest.json',
    },
  });
}

/** Moves the new files into place, index.html and the stamp last, and then removes what they no longer name. */
function replaceFiles(made, target) {
  const files = filesIn(made);
  const isLoadedLater = (path) => path.includes('assets');
  for (const path of [...files.filter(isLoadedLater), ...files.filter((path) => !isLoadedLater(path))]) {
    mkdirSync(dirname(join(target, path)), { recursive: true });
    renameSync(join(made, path), join(target, path));
  }
  for (const path of filesIn(target)) if (!files.includes(path)) rmSync(join(target, path));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

const script = fileURLToPath(import.meta.url);
if (process.argv[1] === script) {
  const checkout = dirname(dirname(script));
  await buildWeb(checkout, join(checkout, 'dist'));
}
