import type { EpochMs } from '../../kernel/index.ts';
import type { Blobs, RootRecords } from './ports.ts';
import { decodeDelta } from './tree-delta.ts';
import type { KnownRoot } from './types.ts';

interface Change {
  readonly before: string;
  readonly at: EpochMs;
}

/** Finds when a path stopped having a version. Reads the recorded scans from the newest on, each once. */
export class ChangeTimes {
  readonly #parts: { readonly roots: Pick<RootRecords, 'all'>; readonly blobs: Pick<Blobs, 'get'> };
  /** The changes of each path in the scans read so far, newest first. */
  readonly #changes = new Map<string, Change[]>();
  #unread: KnownRoot[] | undefined;

  constructor(parts: { readonly roots: Pick<RootRecords, 'all'>; readonly blobs: Pick<Blobs, 'get'> }) {
    this.#parts = parts;
  }

  /** The time of the scan that found another version. Undefined if no scan from `notBefore` on did. */
  async leftAt(path: string, version: string, notBefore: EpochMs): Promise<EpochMs | undefined> {
    this.#unread ??= [...(await this.#parts.roots.all())];
    for (;;) {
      const found = this.#changes.get(path)?.find(({ before }) => before === version);
      if (found) return found.at;
      const next = this.#unread.at(-1);
      if (next === undefined || next.at < notBefore) return undefined;
      this.#unread.pop();
      await this.#read(next);
    }
  }

  async #read({ delta, at }: KnownRoot): Promise<void> {
    const bytes = await this.#parts.blobs.get(delta);
    // Without its delta the time of a change is unknown; comparing roots reports the missing blob.
    for (const { path, before } of (bytes && decodeDelta(bytes)) ?? []) {
      if (before === undefined) continue;
      const known = this.#changes.get(path);
      if (known) known.push({ before, at });
      else this.#changes.set(path, [{ before, at }]);
    }
  }
}
