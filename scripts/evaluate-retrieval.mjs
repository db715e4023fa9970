// Prints how much of the evidence each way of searching finds, on the part that the ranking is tuned on and on the part
// that is kept apart; with --speed, how long a query takes and how much memory an index holds.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'oka-retrieval-'));

try {
  await build({
    absWorkingDir: root,
    entryPoints: { evaluate: 'test/retrieval/evaluate.ts', speed: 'test/retrieval/measure-speed.ts' },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  });
  const load = (name) => import(pathToFileURL(join(folder, `${name}.mjs`)).href);
  if (process.argv.includes('--speed')) printSpeed(await load('speed'));
  else
    printRecall(await load('evaluate'), process.argv.includes('--train') ? ['train'] : ['train', 'held-out']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function printRecall({ evaluate, WAYS }, parts) {
  for (const part of parts) {
    for (const [name, way] of Object.entries(WAYS)) {
      const { questions, at, byKind } = evaluate(part, way);
      const depths = Object.entries(at).map(([depth, share]) => `recall@${depth} ${share.toFixed(3)}`);
      const kinds = Object.entries(byKind).map(([kind, share]) => `${kind} ${share.toFixed(2)}`);
      console.log(
        `${part.padEnd(9)} ${name.padEnd(11)} ${depths.join('  ')}  (${questions} questions; @10: ${kinds.join(', ')})`,
      );
    }
  }
}

function printSpeed({ measureSpeed }) {
  for (const texts of [10_000, 100_000]) {
    for (const vectors of [true, false]) {
      const { addMicroseconds, medianMs, slowestMs, megabytes, vectorMegabytes } = measureSpeed(
        texts,
        vectors,
      );
      console.log(
        `${texts} texts, vectors ${vectors ? 'on ' : 'off'}: add ${addMicroseconds.toFixed(0)} µs, query median ${medianMs.toFixed(1)} ms, ` +
          `slowest ${slowestMs.toFixed(1)} ms, index ${megabytes.toFixed(0)} MB, stored vectors ${vectorMegabytes.toFixed(1)} MB`,
      );
    }
  }
}
