// Owns: the file in the user's folder that says which workspaces the user trusts, and which acting items of them.
// Does not own: what an acting item is, and what happens without an approval.
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import type { WorkspaceIdentity } from './workspace-identity.ts';

/** An acting item as the user approved it. */
export interface ApprovedItem {
  readonly kind: string;
  readonly name: string;
  /** Covers everything that decides what the item does. */
  readonly digest: string;
  /** What the user saw, for a later diff. */
  readonly text: string;
}

/**
 * What the user trusts about one workspace. Records of earlier versions have only `trustedAt`. Updates keep fields that this
 * version does not know; a decision about the workspace's ledger belongs here too.
 */
export interface TrustRecord {
  readonly trustedAt: number;
  readonly id?: string;
  readonly device?: number;
  readonly inode?: number;
  readonly items?: readonly ApprovedItem[];
}

interface TrustFile {
  /** By the real path of the workspace. */
  readonly workspaces: Readonly<Record<string, TrustRecord>>;
}

export class TrustRecords {
  readonly #file: string;
  #known: { readonly version: string; readonly content: TrustFile } | undefined;

  constructor(home: string) {
    this.#file = join(home, 'trust.json');
  }

  /** The record of exactly this workspace. Another one at the same path has none. */
  find(identity: WorkspaceIdentity): TrustRecord | undefined {
    const record = this.at(identity.path);
    return record && isSame(record, identity) ? record : undefined;
  }

  /** The record of a path, whatever is there now. */
  at(path: string): TrustRecord | undefined {
    const { workspaces } = this.#read();
    return Object.hasOwn(workspaces, path) ? workspaces[path] : undefined;
  }

  /** The path of a record of this workspace from before the folder was moved. */
  formerPath(identity: WorkspaceIdentity): string | undefined {
    if (identity.id === undefined) return undefined;
    return Object.entries(this.#read().workspaces).find(
      ([path, record]) =>
        path !== identity.path &&
        record.id === identity.id &&
        record.inode === identity.inode &&
        record.device === identity.device,
    )?.[0];
  }

  list(): readonly (TrustRecord & { readonly path: string })[] {
    return Object.entries(this.#read().workspaces).map(([path, record]) => ({ ...record, path }));
  }

  /** Stores the record of a workspace; `replaces` is the former path of a moved one. */
  put(
    identity: WorkspaceIdentity,
    trust: { readonly trustedAt: number; readonly items: readonly ApprovedItem[] },
    replaces = identity.path,
  ): void {
    const { [replaces]: former, ...others } = this.#read().workspaces;
    const { id, device, inode } = identity;
    const known = former !== undefined && isSame(former, identity) ? former : {};
    this.#write({
      ...others,
      [identity.path]: { ...known, ...trust, ...(id === undefined ? {} : { id }), device, inode },
    });
  }

  /** Changes the approved items of a trusted workspace. */
  change(
    identity: WorkspaceIdentity,
    change: (items: readonly ApprovedItem[]) => readonly ApprovedItem[],
  ): void {
    const record = this.find(identity);
    if (record?.items === undefined) return;
    this.#write({
      ...this.#read().workspaces,
      [identity.path]: { ...record, items: change(record.items) },
    });
  }

  /** Removes the record of a path. True if there was one. */
  remove(path: string): boolean {
    const { [path]: known, ...others } = this.#read().workspaces;
    if (known === undefined) return false;
    this.#write(others);
    return true;
  }

  /** Tells whether the file has changed. */
  get version(): string {
    const found = statSync(this.#file, { throwIfNoEntry: false, bigint: true });
    return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.ctimeNs}`;
  }

  #read(): TrustFile {
    const { version } = this;
    if (this.#known?.version !== version) {
      const content = (readJsonFile(this.#file) as TrustFile | undefined) ?? { workspaces: {} };
      this.#known = { version, content };
    }
    return this.#known.content;
  }

  #write(workspaces: TrustFile['workspaces']): void {
    writeJsonFile(this.#file, { workspaces } satisfies TrustFile);
    this.#known = undefined;
  }
}

/**
 * Whether a record is that of the workspace found at its path. The number of a device may change when the system restarts, so it
 * decides only if the workspace has no id.
 */
function isSame(record: TrustRecord, identity: WorkspaceIdentity): boolean {
  if (record.inode === undefined) return record.id === undefined;
  if (record.inode !== identity.inode || record.id !== identity.id) return false;
  return record.id !== undefined || record.device === identity.device;
}

/** The real path of a folder; the path itself if it does not exist any more. */
export function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
