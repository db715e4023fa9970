export { comparison, meanDirection, normalise } from './centre.ts';
export {
  type Embedder,
  embedderId,
  embedTexts,
  foldVector,
  packVector,
  unpackVector,
} from './embedder.ts';
export { measureQuality, weightOfQuality } from './embedder-quality.ts';
export { rankPassages } from './rank-passages.ts';
export { type Passage, passageOf, readText } from './read-passage.ts';
export { type Query, readQuery } from './read-query.ts';
export { NEIGHBOUR_REACH } from './scores-from-neighbours.ts';
export { NearestSignatures, SignatureTable, signatureOf } from './signature-table.ts';
export { termsOf } from './terms.ts';
export { TextIndex } from './text-index.ts';
export { stem, tokenise } from './tokenise.ts';
export type { RankedHit, ScorePart, TextReading } from './types.ts';
export { WordSense } from './word-sense.ts';
export { WordVectors } from './word-vectors.ts';
