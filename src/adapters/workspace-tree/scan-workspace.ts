// Owns: the pipeline of a scan: walk → match → hash → fold → store. Does not own: committing the index and the ledger.
// I1 A folder is stored after everything in it.
// I2 What is as new as the scan is read again by the next scan, because it may change without looking newer.
import { setImmediate } from 'node:timers/promises';
import {
  fileNodeId,
  linkNodeId,
  type NodeIndexChange,
  pathBytes,
  pathIn,
  pathText,
  putFolder,
  type ScanOutcome,
  type SkippedPath,
  TreeDelta,
  utf8Bytes,
} from '../../context/index.ts';
import { hashFiles } from './hash-files.ts';
import { HashQueue } from './hash-queue.ts';
import type { ScannedFolder } from './scanned-folder.ts';
import { statOf, targetOf } from './system-paths.ts';
import { FolderWalk, type WalkOptions } from './walk-folders.ts';

const FOLDERS_PER_TURN = 64;
const MAX_VERSION_BYTES = 8 * 1_048_576;
/** The version of a path that does not exist: no node has it. */
export const GONE = 'gone';

export interface ScanOptions extends WalkOptions {
  /** Receives one message when a worker thread cannot be started or ends early. */
  readonly onWarning?: (message: string) => void;
  /** Called with the number of entries found so far, and that of the last scan. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** The program of the worker threads, if it is not next to this file. */
  readonly worker?: URL;
}

/**
 * Updates the index to the current state of the workspace, without committing it. With `folders`, scans only these folders and
 * the new ones in them.
 */
export async function scanWorkspace(
  options: ScanOptions,
  folders?: ReadonlySet<string>,
): Promise<ScanOutcome> {
  const { index, now, onWarning, worker } = options;
  const previous = index.folder('')?.id;
  const { files, directories, links } = index.counts();
  const known = files + directories + links;
  let found = 0;
  const walk = new FolderWalk(options);
  const hashes = new HashQueue({ settledBefore: now, onWarning, worker });
  const store = new FolderStore(index);
  try {
    if (folders === undefined || previous === undefined) walk.start();
    else walk.startAt(folders);
    for (let turn = 1; ; turn++) {
      // Walk and match.
      const visit = hashes.isFull ? undefined : walk.next();
      // Hash.
      if (visit !== undefined) hashes.add(visit.files);
      else if (!(await hashes.next())) break;
      // Fold and store.
      if (visit !== undefined) {
        found += visit.folder.count;
        store.settle(visit.folder);
      }
      for (const [{ folder, slot }, hashed] of hashes.takeFinished()) {
        folder.setHashed(slot, hashed, now);
        store.settle(folder);
      }
      // Lets other work run, such as the answers of the worker threads.
      if (turn % FOLDERS_PER_TURN === 0) {
        options.onProgress?.(found, known);
        await setImmediate();
      }
    }
  } finally {
    // The workers may still read in folders that the walk holds open.
    await hashes.close();
    walk.close();
  }
  return {
    root: index.folder('')?.id as string,
    ...(previous === undefined ? {} : { previous }),
    delta: store.delta,
    counts: index.counts(),
    skipped: store.skipped.sort((a, b) => (a.path < b.path ? -1 : 1)),
    read: hashes.files,
  };
}

/** Computes the id of a folder and stores it as soon as everything in it is done. */
class FolderStore {
  readonly delta = new TreeDelta();
  readonly skipped: SkippedPath[] = [];
  readonly #index: NodeIndexChange;

  constructor(index: NodeIndexChange) {
    this.#index = index;
  }

  /** One pending item of the folder is done. */
  settle(folder: ScannedFolder): void {
    for (let at: ScannedFolder | undefined = folder; at !== undefined; at = at.parent) {
      at.pending -= 1;
      if (at.pending > 0) return;
      if (!at.isRemoved) this.#store(at);
    }
  }

  #store(folder: ScannedFolder): void {
    const { known, parent, slot } = folder;
    const record = folder.toRecord();
    for (const { name, why } of record.skipped) this.skipped.push({ path: pathIn(record.path, name), why });
    if (record !== known) putFolder(this.#index, this.delta, record, known);
    if (parent !== undefined && (record.id !== known?.id || parent.isOwn)) parent.setId(slot, record.id);
  }
}

/**
 * The id that a file or link of the workspace has now, independent of any scan. Undefined for a folder, for a file larger than
 * 8 MiB and for one that cannot be read.
 */
export function versionOf(workspace: string, path: string): string | undefined {
  const place = `${utf8Bytes(workspace)}/${pathBytes(path)}`;
  try {
    const found = statOf(place);
    if (found === undefined) return GONE;
    if (found.isSymbolicLink()) return linkNodeId(path, pathText(targetOf(place)));
    if (!found.isFile() || found.size > MAX_VERSION_BYTES) return undefined;
    const [hashed] = hashFiles({ files: [{ path: place }], settledBefore: 0 });
    if (hashed === undefined || 'code' in hashed) return undefined;
    return fileNodeId(path, hashed.hash, hashed.kind === 'x');
  } catch {
    return undefined;
  }
}
