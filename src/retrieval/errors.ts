/** The codes of the errors of this folder. */
export type RetrievalErrorCode = 'retrieval.vectors_unreadable' | 'retrieval.embedding_mismatch';
