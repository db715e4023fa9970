/** Stores keys by id. */
export interface KeyStore {
  /** The location of the key, for people. */
  where(id: string): string;
  /** Stores a key durably before it resolves. */
  store(id: string, key: Uint8Array): Promise<void>;
  find(id: string): Promise<Uint8Array | undefined>;
  delete(id: string): Promise<void>;
}
