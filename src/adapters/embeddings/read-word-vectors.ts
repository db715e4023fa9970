import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { WordVectors } from '../../retrieval/index.ts';

/** In the checkout and in the package the data is beside dist. */
const FILE = fileURLToPath(
  new URL(
    `${import.meta.url.endsWith('.ts') ? '../../../' : '../'}data/word-vectors/words.bin`,
    import.meta.url,
  ),
);

let read: WordVectors | undefined;

/** The word vectors that come with the package, read on first use and shared by all workspaces of the process. */
export function readWordVectors(): WordVectors {
  read ??= new WordVectors(readFileSync(FILE));
  return read;
}
