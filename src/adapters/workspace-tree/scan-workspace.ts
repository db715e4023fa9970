// Owns: comparing the workspace with the index, reading as little as can be. Does not own: telling the ledger, and making
// the change of the index permanent.
// I1 What is as new as the scan itself is read again by the next one, because it may change without looking newer.
// I2 A link is never followed, and what is neither file, folder nor link is never opened.
import type { NodeIndexChange, ScanOutcome } from '../../context/index.ts';
import { CheckQueue } from './check-queue.ts';
import { FolderLook } from './folder-look.ts';
import { FolderReach } from './folder-reach.ts';
import type { FolderVisit } from './folder-visit.ts';
import { FoundChildren } from './found-children.ts';
import { KnownWalk } from './known-walk.ts';
import { Stamps } from './node-stamp.ts';
import { ReadQueue } from './read-queue.ts';
import type { ScanThreads } from './scan-threads.ts';
import { Places } from './system-paths.ts';
import { TakeQueue } from './take-queue.ts';
import { VisitedFolders } from './visited-folders.ts';

/** What a scan works on. */
export interface ScanParts {
  /** The workspace's folder. */
  readonly workspace: string;
  readonly index: NodeIndexChange;
  /** The time of the file system when the scan began. */
  readonly now: number;
  /** Reads everything, whatever is known of it. */
  readonly force?: boolean;
  /** Whoever asks closes them, when nothing else is in a hurry. */
  readonly threads: ScanThreads;
}

/**
 * Brings the index to what stands in the workspace, without making that permanent. With `folders` only they are looked at,
 * and what is new in them; one that is not there, or not known, stands for the nearest above it that is.
 */
export async function scanWorkspace(parts: ScanParts, folders?: ReadonlySet<string>): Promise<ScanOutcome> {
  const scan = new WorkspaceScan(parts);
  try {
    if (folders === undefined || parts.index.folder('') === undefined) scan.beginAtRoot();
    else scan.beginAt(folders);
    await scan.walk();
    return scan.finish();
  } catch (error) {
    // What they still work on is reached through folders that are held open.
    await parts.threads.close();
    throw error;
  } finally {
    scan.close();
  }
}

const FOLDERS_AT_ONCE = 64;
/** When so many folders wait that nobody has looked at, threads that take them are worth their start. */
const MANY_FOLDERS = 64;
/** When so many files are known, a thread that checks them is worth its start. */
const MANY_FILES = 8_192;

class WorkspaceScan {
  readonly #index: NodeIndexChange;
  readonly #force: boolean;
  readonly #places = new Places();
  readonly #threads: ScanThreads;
  readonly #folders: VisitedFolders;
  readonly #reach: FolderReach;
  readonly #files: ReadQueue;
  readonly #takes: TakeQueue;
  readonly #checks: CheckQueue;
  readonly #knownWalk: KnownWalk;
  readonly #look: FolderLook;
  readonly #toVisit: FolderVisit[] = [];

  constructor({ workspace, index, now, force = false, threads }: ScanParts) {
    const [places, stamps] = [this.#places, new Stamps(now)];
    const folders = new VisitedFolders(index);
    const reach = new FolderReach({ workspace, index, places, stamps });
    const files = new ReadQueue(threads, now, (visit, slot, read) => {
      children.onRead(visit, slot, read);
      folders.settle(visit);
    });
    const checks = new CheckQueue(threads, (folder) => look.lookAtLeaves(knownWalk.visitOf(folder)));
    const onSame = checks.push.bind(checks);
    const knownWalk: KnownWalk = new KnownWalk({
      ...{ index, places, stamps, reach, folders, onSame },
      onOtherRules: (visit) => look.look(visit),
      onOtherFolder: (visit, slot) => look.lookAtChild(visit, slot),
    });
    const onFolder = this.#begin.bind(this);
    const children = new FoundChildren({ index, places, stamps, folders, files, knownWalk, force, onFolder });
    const onListed = this.#expect.bind(this);
    const look = new FolderLook({ reach, stamps, folders, children, force, onListed, onSameNames: onSame });
    this.#takes = new TakeQueue({
      ...{ threads, folders, settledBefore: now },
      onTaken: (visit, taken) => {
        look.onTaken(visit, taken);
        folders.settle(visit);
      },
    });
    this.#index = index;
    this.#force = force;
    this.#threads = threads;
    this.#folders = folders;
    this.#reach = reach;
    this.#files = files;
    this.#checks = checks;
    this.#knownWalk = knownWalk;
    this.#look = look;
  }

  beginAtRoot(): void {
    if (this.#index.counts().files >= MANY_FILES) this.#threads.start('one');
    this.#index.load();
    this.#begin(this.#reach.visitAt('') as FolderVisit);
  }

  beginAt(folders: ReadonlySet<string>): void {
    for (const folder of folders) {
      let path = folder;
      let visit = this.#reach.visitAt(path);
      while (path !== '' && (visit === undefined || visit.known === undefined)) {
        path = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
        visit = this.#reach.visitAt(path);
      }
      if (visit === undefined || this.#folders.has(path)) continue;
      visit.isShallow = true;
      this.#begin(visit);
    }
  }

  async walk(): Promise<void> {
    do {
      for (let count = 1; this.#visitNext() || this.#knownWalk.next(); count++)
        if (count % FOLDERS_AT_ONCE === 0) await othersTurn();
      await othersTurn();
    } while (this.#toVisit.length > 0 || (await this.#takes.next()) || (await this.#checks.next()));
    await this.#files.drain();
  }

  finish(): ScanOutcome {
    const previous = this.#index.folder('')?.id;
    const { delta, skipped } = this.#folders.finish();
    const root = this.#index.folder('')?.id as string;
    return {
      root,
      ...(previous === undefined ? {} : { previous }),
      delta,
      counts: this.#index.counts(),
      skipped,
      read: this.#files.files + this.#takes.files,
    };
  }

  close(): void {
    this.#places.close();
  }

  #begin(visit: FolderVisit): void {
    this.#folders.begin(visit);
    this.#toVisit.push(visit);
  }

  /** So many folders are about to be met that nothing is known of. */
  #expect(folders: number): void {
    if (this.#toVisit.length + folders >= MANY_FOLDERS) this.#threads.start('all');
  }

  #visitNext(): boolean {
    const visit = this.#toVisit.pop();
    if (visit === undefined) return false;
    if (this.#threads.started && this.#isUnknown(visit)) this.#takes.push(visit);
    else {
      this.#look.look(visit);
      this.#folders.settle(visit);
    }
    return true;
  }

  /** A folder that nobody has looked at, of which nothing is known that counts, and that threads can take. */
  #isUnknown({ stamp, known, at }: FolderVisit): boolean {
    return stamp === undefined && (known === undefined || this.#force) && !at.path.includes('\\');
  }
}

/** Lets others have their turn, among them what the threads have answered. */
function othersTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
