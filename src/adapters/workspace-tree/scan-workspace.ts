// Owns: comparing the workspace with the index, reading as little as can be. Does not own: telling the ledger, and making
// the change of the index permanent.
// I1 What is as new as the scan itself is read again by the next one, because it may change without looking newer.
// I2 A link is never followed, and what is neither file, folder nor link is never opened.
import type { Stats } from 'node:fs';
import {
  type FolderRecord,
  IGNORE_FILES,
  linkNodeId,
  NEVER_IN_TREE,
  type NodeIndexChange,
  pathBytes,
  pathIn,
  pathText,
  type ScanOutcome,
} from '../../context/index.ts';
import { FolderReach } from './folder-reach.ts';
import { FolderVisit } from './folder-visit.ts';
import { type Listing, ListQueue } from './list-queue.ts';
import { isFolder, isUnchanged, letterOf, type Numbers, Stamps, sameStamp } from './node-stamp.ts';
import { type ReadFile, ReadQueue } from './read-queue.ts';
import { ScanThreads } from './scan-threads.ts';
import { codeOf, entriesIn, type FolderEntry, lookAt, Places, targetOf } from './system-paths.ts';
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
  } finally {
    await scan.close();
  }
}

const FOLDERS_AT_ONCE = 64;
/** When so many folders wait that nobody has looked at, threads that list them are worth their start. */
const MANY_FOLDERS = 64;
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'NOT_A_FILE']);
const SPECIAL = 'it is neither a file, a folder nor a link';

class WorkspaceScan {
  readonly #parts: ScanParts;
  readonly #places = new Places();
  readonly #stamps: Stamps;
  readonly #reach: FolderReach;
  readonly #threads = new ScanThreads();
  readonly #files: ReadQueue;
  readonly #listings: ListQueue;
  readonly #toVisit: FolderVisit[] = [];
  readonly #folders: VisitedFolders;

  constructor(parts: ScanParts) {
    this.#parts = parts;
    this.#folders = new VisitedFolders(parts.index);
    this.#files = new ReadQueue(this.#threads, parts.now, (visit, slot, read) => {
      this.#onRead(visit, slot, read);
      this.#folders.settle(visit);
    });
    this.#listings = new ListQueue(this.#threads, (visit, listing) => {
      this.#onListed(visit, listing);
      this.#folders.settle(visit);
    });
    this.#stamps = new Stamps(parts.now);
    this.#reach = new FolderReach({ ...parts, places: this.#places, stamps: this.#stamps });
  }

  beginAtRoot(): void {
    this.#parts.index.load();
    this.#begin(this.#reach.visitAt('') as FolderVisit);
  }

  beginAt(folders: ReadonlySet<string>): void {
    for (const folder of folders) {
      let path = folder;
      let visit = this.#reach.visitAt(path);
      while (path !== '' && (visit === undefined || visit.known === undefined)) {
        path = folderOf(path);
        visit = this.#reach.visitAt(path);
      }
      if (visit === undefined || this.#folders.has(path)) continue;
      visit.isShallow = true;
      this.#begin(visit);
    }
  }

  async walk(): Promise<void> {
    for (let count = 1; ; count++) {
      const visit = this.#toVisit.pop();
      if (visit === undefined) {
        if (await this.#listings.next()) continue;
        break;
      }
      if (visit.stamp === undefined && (this.#threads.started || this.#toVisit.length >= MANY_FOLDERS))
        this.#listings.push(visit);
      else {
        if (visit.stamp === undefined) this.#lookFirst(visit);
        else this.#look(visit);
        this.#folders.settle(visit);
      }
      if (count % FOLDERS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await this.#files.drain();
  }

  finish(): ScanOutcome {
    const { index } = this.#parts;
    const previous = index.folder('')?.id;
    const { changes, skipped } = this.#folders.finish();
    const root = index.folder('')?.id as string;
    return {
      root,
      ...(previous === undefined ? {} : { previous }),
      changes,
      counts: index.counts(),
      skipped,
      read: this.#files.files,
    };
  }

  async close(): Promise<void> {
    await this.#threads.close();
    this.#places.close();
  }

  #begin(visit: FolderVisit): void {
    this.#folders.begin(visit);
    this.#toVisit.push(visit);
  }

  /** A folder that nothing is known of, and that nobody has looked at. */
  #lookFirst(visit: FolderVisit): void {
    try {
      const found = lookAt(visit.at.place);
      if (!isFolder(found)) {
        this.#leave(visit, 'ENOTDIR');
        return;
      }
      this.#sawFolder(visit, [found.size, found.mtimeMs, found.ctimeMs, found.ino]);
    } catch (error) {
      this.#leave(visit, codeOf(error));
      return;
    }
    this.#look(visit);
  }

  #onListed(visit: FolderVisit, listing: Listing): void {
    if ('trouble' in listing) {
      this.#leave(visit, listing.trouble);
      return;
    }
    this.#sawFolder(visit, listing.stamp);
    const ignoreFiles = bitsOf(listing.entries);
    const { rules, tooLarge } = this.#reach.rulesIn(visit.at, ignoreFiles, visit.at.rules);
    visit.rules = rules;
    this.#fill(visit, ignoreFiles, tooLarge, listing.entries);
  }

  #sawFolder(visit: FolderVisit, numbers: Numbers): void {
    const [size, mtimeMs, ctimeMs, ino] = numbers;
    const stamp = this.#stamps.numbersOf({ size, mtimeMs, ctimeMs, ino });
    visit.stamp = { size, modifiedAt: mtimeMs, changedAt: stamp[2], inode: ino };
    visit.parent?.setStamp(visit.slot, stamp);
  }

  #look(visit: FolderVisit): void {
    const { known, stamp } = visit;
    const { place } = visit.at;
    try {
      const isSame = known && stamp && !this.#parts.force && sameStamp(known.stamp, stamp);
      const entries = isSame ? undefined : entriesIn(place);
      const ignoreFiles = entries === undefined ? (known as FolderRecord).ignoreFiles : bitsOf(entries);
      const { rules, tooLarge } = this.#reach.rulesIn(visit.at, ignoreFiles, visit.at.rules);
      visit.rules = rules;
      if (isSame && known.rules === rules.key) this.#lookAgain(visit, known);
      else this.#fill(visit, ignoreFiles, tooLarge, entries ?? entriesIn(place));
    } catch (error) {
      this.#leave(visit, codeOf(error));
    }
  }

  /** Takes everything in a folder anew. */
  #fill(
    visit: FolderVisit,
    ignoreFiles: number,
    tooLarge: readonly string[],
    entries: readonly FolderEntry[],
  ): void {
    visit.empty();
    visit.ignoreFiles = ignoreFiles;
    for (const name of tooLarge) visit.note(name, 'it is larger than 4 MiB, so its rules do not count');
    this.#meetAll(visit, entries);
  }

  /** What is known to be in a folder whose names have not changed. */
  #lookAgain(visit: FolderVisit, known: FolderRecord): void {
    const { place } = visit.at;
    for (const [slot, name] of known.names.entries()) {
      const raw = pathBytes(name);
      const found = this.#lookAt(visit, `${place}/${raw}`, (why) => visit.drop(slot, why));
      if (found === undefined) continue;
      const letter = letterOf(found.mode);
      if (letter === 'd') this.#enter(visit, { slot, name, raw, found });
      else if (letter === '') visit.drop(slot, SPECIAL);
      else if (letter !== known.kinds[slot] || !isUnchanged(known, slot, found))
        this.#take(visit, { slot, name, raw, found });
    }
  }

  #meetAll(visit: FolderVisit, entries: readonly FolderEntry[]): void {
    const known = this.#parts.force ? undefined : visit.known;
    const slots = known && new Map(known.names.map((name, slot) => [name, slot]));
    for (const { name: raw, kind } of entries) {
      if (NEVER_IN_TREE.has(raw)) continue;
      const name = pathText(raw);
      const old = slots?.get(name);
      if (old !== undefined || kind === '?') this.#meet(visit, { name, raw, old });
      else if (kind === 'f') this.#meetFile(visit, name, raw);
      else this.#meetFolder(visit, name, raw);
    }
  }

  /** A file that nothing is known of: whoever reads it looks at it. */
  #meetFile(visit: FolderVisit, name: string, raw: string): void {
    if (visit.rules.leaveOut(pathIn(visit.at.bytes, raw), raw, false)) return;
    visit.open += 1;
    this.#files.push(visit, visit.addUnseen(name, 'f'), { name, raw });
  }

  /** A folder that nothing is known of: whoever lists it looks at it. */
  #meetFolder(visit: FolderVisit, name: string, raw: string): void {
    if (visit.rules.leaveOut(pathIn(visit.at.bytes, raw), raw, true)) visit.leftOut.push(name);
    else this.#enter(visit, { slot: visit.addUnseen(name, 'd'), name, raw });
  }

  #meet(
    visit: FolderVisit,
    met: { readonly name: string; readonly raw: string; readonly old: number | undefined },
  ): void {
    const { name, raw, old } = met;
    const { place, bytes } = visit.at;
    const found = this.#lookAt(visit, `${place}/${raw}`, (why) => why && visit.note(name, why));
    if (found === undefined) return;
    const kind = letterOf(found.mode);
    if (visit.rules.leaveOut(pathIn(bytes, raw), raw, kind === 'd')) {
      if (kind === 'd') visit.leftOut.push(name);
      return;
    }
    if (kind === '') {
      visit.note(name, SPECIAL);
      return;
    }
    const known = old === undefined ? undefined : visit.known;
    const [id, content] =
      known === undefined || old === undefined
        ? ['', '']
        : [known.ids[old] as string, known.contents[old] as string];
    const slot = visit.add(name, { kind, id, content, stamp: this.#stamps.numbersOf(found) });
    const isKept =
      known !== undefined && old !== undefined && kind === known.kinds[old] && isUnchanged(known, old, found);
    if (kind === 'd') this.#enter(visit, { slot, name, raw, found });
    else if (!isKept) this.#take(visit, { slot, name, raw, found });
  }

  #lookAt(visit: FolderVisit, path: string, onTrouble: (why?: string) => void): Stats | undefined {
    try {
      const found = lookAt(path);
      if (found === undefined) {
        visit.mustLookAgain = true;
        onTrouble();
      }
      return found;
    } catch (error) {
      visit.mustLookAgain = true;
      onTrouble(NOT_THERE.has(codeOf(error)) ? undefined : refusal(codeOf(error)));
      return undefined;
    }
  }

  #enter(visit: FolderVisit, child: Omit<Child, 'found'> & { readonly found?: Stats }): void {
    const { slot, name, raw, found } = child;
    const path = pathIn(visit.at.path, name);
    const known = this.#parts.index.folder(path);
    const isKnown = known !== undefined && known.stamp.inode === found?.ino;
    if (visit.isShallow && isKnown && visit.known?.rules === visit.rules.key) {
      visit.setId(slot, known.id);
      return;
    }
    if (this.#folders.has(path)) return;
    try {
      const place = this.#places.below(visit.at.place, raw);
      const bytes = pathIn(visit.at.bytes, raw);
      const direct = `${visit.at.place}/${raw}`;
      // A folder that is held open is reached by a link of the system, which must not be looked at itself.
      const looked = found ?? (place === direct ? undefined : lookAt(direct));
      const seen = looked === undefined ? {} : { stamp: this.#stamps.stampOf(looked) };
      const at = { path, bytes, place, depth: visit.at.depth + 1, rules: visit.rules, ...seen };
      this.#begin(new FolderVisit(at, known, { parent: visit, slot }));
    } catch (error) {
      visit.drop(slot, refusal(codeOf(error)));
    }
  }

  /** Reads a file, or where a link leads. */
  #take(visit: FolderVisit, child: Child): void {
    const { slot, name, raw, found } = child;
    if (letterOf(found.mode) !== 'l') {
      const { size, mtimeMs, ctimeMs, ino } = found;
      visit.open += 1;
      this.#files.push(visit, slot, { name, raw }, [size, mtimeMs, ctimeMs, ino]);
      return;
    }
    try {
      const content = pathText(targetOf(`${visit.at.place}/${raw}`));
      const id = linkNodeId(pathIn(visit.at.path, name), content);
      visit.set(slot, { kind: 'l', id, content, stamp: this.#stamps.numbersOf(found) });
    } catch {
      visit.drop(slot);
    }
  }

  #onRead(visit: FolderVisit, slot: number, read: ReadFile): void {
    const { hash, id, kind, trouble } = read;
    if (hash === '') {
      visit.drop(slot, NOT_THERE.has(trouble) ? undefined : refusal(trouble));
      return;
    }
    visit.set(slot, { kind, id, content: hash, stamp: this.#stamps.afterReading(read) });
    if (trouble !== '')
      visit.note(visit.nameAt(slot), 'it kept changing while it was read; what was read last counts');
  }

  /** A folder that cannot be listed is no node; what holds it says why. */
  #leave(visit: FolderVisit, code: string): void {
    if (visit.at.path === '') throw this.#reach.failure(code);
    this.#folders.leave(visit, NOT_THERE.has(code) ? undefined : refusal(code));
  }
}

interface Child {
  readonly slot: number;
  readonly name: string;
  readonly raw: string;
  readonly found: Stats;
}

function bitsOf(entries: readonly FolderEntry[]): number {
  let bits = 0;
  for (const [bit, name] of IGNORE_FILES.entries())
    if (entries.some((entry) => entry.name === name)) bits |= 1 << bit;
  return bits;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function refusal(code: string): string {
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read; check its permissions';
  if (code === 'ENAMETOOLONG') return 'its path is longer than this system can reach';
  return `the system answers ${code} when it is read`;
}
