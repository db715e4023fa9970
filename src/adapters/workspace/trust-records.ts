// Owns: the file in the user's folder that says which workspaces the user trusts, and which acting items of them.
// Does not own: what an acting item is, and what happens without an approval.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileVersion } from '../../disk/index.ts';
import { changeJsonFile, readJsonFile } from './json-file.ts';
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
    return recordAt(this.#read().workspaces, path);
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
    const { id, device, inode } = identity;
    this.#change(({ [replaces]: former, ...others }) => {
      const known = former !== undefined && isSame(former, identity) ? former : {};
      return {
        ...others,
        [identity.path]: { ...known, ...trust, ...(id === undefined ? {} : { id }), device, inode },
      };
    });
  }

  /** Changes the approved items of a trusted workspace. */
  change(
    identity: WorkspaceIdentity,
    change: (items: readonly ApprovedItem[]) => readonly ApprovedItem[],
  ): void {
    this.#change((workspaces) => {
      const record = recordAt(workspaces, identity.path);
      if (record?.items === undefined || !isSame(record, identity)) return workspaces;
      return { ...workspaces, [identity.path]: { ...record, items: change(record.items) } };
    });
  }

  /** Removes the record of a path. True if there was one. */
  remove(path: string): boolean {
    let isRemoved = false;
    this.#change((workspaces) => {
      const { [path]: known, ...others } = workspaces;
      isRemoved = known !== undefined;
      return isRemoved ? others : workspaces;
    });
    return isRemoved;
  }

  /** Tells whether the file has changed. */
  get version(): string {
    return fileVersion(this.#file);
  }

  #read(): TrustFile {
    const { version } = this;
    if (this.#known?.version !== version) {
      const { workspaces = {} } = (readJsonFile(this.#file) ?? {}) as Partial<TrustFile>;
      this.#known = { version, content: { workspaces } };
    }
    return this.#known.content;
  }

  #change(change: (workspaces: TrustFile['workspaces']) => TrustFile['workspaces']): void {
    changeJsonFile<TrustFile>(this.#file, (content) => {
      const { workspaces = {} } = (content ?? {}) as Partial<TrustFile>;
      const changed = change(workspaces);
      return changed === workspaces ? content : { workspaces: changed };
    });
    this.#known = undefined;
  }
}

function recordAt(workspaces: TrustFile['workspaces'], path: string): TrustRecord | undefined {
  return Object.hasOwn(workspaces, path) ? workspaces[path] : undefined;
}

/**
 * Whether a record is that of the workspace found at its path. The number of a device may change when the system restarts, so it
 * decides only if the record has no id, which happens if it could not be written.
 */
function isSame(record: TrustRecord, identity: WorkspaceIdentity): boolean {
  if (record.inode === undefined) return record.id === undefined;
  if (record.inode !== identity.inode) return false;
  return record.id === undefined ? record.device === identity.device : record.id === identity.id;
}

/** The real path of a folder; the path itself if it does not exist any more. */
export function realPathOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
