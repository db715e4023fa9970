/** A place where keys are kept by id. */
export interface KeyKeeper {
  /** For people who look for the key. */
  where(id: string): string;
  /** Keeps it durably before it answers. */
  keep(id: string, key: Uint8Array): Promise<void>;
  find(id: string): Promise<Uint8Array | undefined>;
  forget(id: string): Promise<void>;
}
