// Prints how much of the evidence each way of searching finds, on the part that the ranking is tuned on and on the part
// that is kept apart; the last way is the product itself, imported into and asked as a person would. With --train only the
// first part, with --product only the product.

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
// Inside the checkout, so that packages are found.
const folder = mkdtempSync(join(root, 'node_modules', '.oka-retrieval-'));
const wants = (flag) => process.argv.includes(flag);

try {
  await build({
    absWorkingDir: root,
    entryPoints: {
      evaluate: 'test/retrieval/evaluate.ts',
      product: 'test/memory/ask-product.ts',
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    define: { __OKA_VERSION__: '"0.0.0"' },
    logLevel: 'warning',
  });
  const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  for (const part of wants('--train') ? ['train'] : ['train', 'held-out']) {
    if (!wants('--product')) printRecall(await load('evaluate'), part);
    await printProduct(await load('product'), part);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function printRecall({ evaluate, WAYS }, part) {
  for (const [name, way] of Object.entries(WAYS)) {
    const { questions, at, byKind } = evaluate(part, way);
    const kinds = Object.entries(byKind).map(([kind, share]) => `${kind} ${share.toFixed(2)}`);
    console.log(`${line(part, name, at)}  (${questions} questions; @10: ${kinds.join(', ')})`);
  }
}

async function printProduct({ askProduct }, part) {
  const { questions, degraded, ways } = await askProduct(part);
  for (const [name, at] of Object.entries(ways))
    console.log(
      `${line(part, `product, ${name}`, at)}  (${questions} questions, ${degraded} answered degraded)`,
    );
}

function line(part, name, at) {
  const depths = Object.entries(at).map(([depth, share]) => `recall@${depth} ${share.toFixed(3)}`);
  return `${part.padEnd(9)} ${name.padEnd(17)} ${depths.join('  ')}`;
}
