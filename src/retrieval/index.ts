export {
  type Embedder,
  embedderId,
  embeddingLikeness,
  embedTexts,
  foldVector,
  packVector,
  unpackVector,
} from './embedder.ts';
export type { RetrievalErrorCode } from './errors.ts';
export { LENDING_REACH } from './lend-to-neighbours.ts';
export { PassageIndex, type PassageIndexOptions, type PassageSearchOptions } from './passage-index.ts';
export { MEASURED_WEIGHTS, type RankOptions, rankForQuery, rankHits } from './rank-hits.ts';
export { readText } from './read-passage.ts';
export { type Query, type QueryTerm, readQuery } from './read-query.ts';
export { NearestSignatures, SignatureTable, signatureOf } from './signature-table.ts';
export { hashTerms } from './term-hashes.ts';
export { termsOf } from './terms.ts';
export { TextIndex } from './text-index.ts';
export { stem, tokenise } from './tokenise.ts';
export type {
  Candidate,
  PassageReading,
  RankedHit,
  RankWeights,
  ScorePart,
  ScoreReason,
  TermStatistics,
  TextReading,
} from './types.ts';
export { WordVectors } from './word-vectors.ts';
