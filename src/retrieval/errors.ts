/** The codes of the errors of this folder. */
export type RetrievalErrorCode = 'retrieval.embedding_mismatch';
