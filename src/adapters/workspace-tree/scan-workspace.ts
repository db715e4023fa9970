// Owns: comparing the workspace with the index, reading as little as can be. Does not own: telling the ledger, and making
// the change of the index permanent.
// I1 What is as new as the scan itself is read again by the next one, because it may change without looking newer.
// I2 A link is never followed, and what is neither file, folder nor link is never opened.
import type { Stats } from 'node:fs';
import {
  type FolderRecord,
  fileNodeId,
  IGNORE_FILES,
  IgnoreRules,
  linkNodeId,
  NEVER_IN_TREE,
  type NodeIndexChange,
  pathBytes,
  pathIn,
  pathText,
  type ScanOutcome,
  type SkippedPath,
} from '../../context/index.ts';
import { FolderReach } from './folder-reach.ts';
import { FolderVisit } from './folder-visit.ts';
import { IndexChange } from './index-change.ts';
import { isUnchanged, letterOf, type Numbers, Stamps, sameStamp } from './node-stamp.ts';
import { ReadQueue } from './read-queue.ts';
import { codeOf, entriesIn, type FolderEntry, lookAt, Places, targetOf } from './system-paths.ts';

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
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'NOT_A_FILE']);
const SPECIAL = 'it is neither a file, a folder nor a link';

class WorkspaceScan {
  readonly #parts: ScanParts;
  readonly #places = new Places();
  readonly #stamps: Stamps;
  readonly #reach: FolderReach;
  readonly #files: ReadQueue;
  readonly #toVisit: FolderVisit[] = [];
  /** Every folder that is looked at, by its depth. */
  readonly #visits: FolderVisit[][] = [];
  readonly #byPath = new Map<string, FolderVisit>();

  constructor(parts: ScanParts) {
    this.#parts = parts;
    this.#files = new ReadQueue(parts.now);
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
      if (visit === undefined || this.#byPath.has(path)) continue;
      visit.isShallow = true;
      this.#begin(visit);
    }
  }

  async walk(): Promise<void> {
    for (let count = 1; ; count++) {
      const visit = this.#toVisit.pop();
      if (visit === undefined) break;
      this.#look(visit);
      if (count % FOLDERS_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await this.#files.drain();
  }

  finish(): ScanOutcome {
    const { index } = this.#parts;
    const previous = index.folder('')?.id;
    const change = new IndexChange(index);
    const skipped: SkippedPath[] = [];
    for (let depth = this.#visits.length - 1; depth >= 0; depth--) {
      for (const visit of this.#visits[depth] ?? []) {
        if (isGone(visit)) continue;
        const record = visit.toRecord();
        for (const { name, why } of record.skipped) skipped.push({ path: pathIn(record.path, name), why });
        if (record !== visit.known) change.put(record, visit.known);
        if (record.id !== visit.known?.id || visit.parent?.isOwn) this.#tellParent(visit, record.id);
      }
    }
    const root = index.folder('')?.id as string;
    return {
      root,
      ...(previous === undefined ? {} : { previous }),
      changes: change.changes,
      counts: index.counts(),
      skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : 1)),
      read: this.#files.files,
    };
  }

  async close(): Promise<void> {
    await this.#files.close();
    this.#places.close();
  }

  #begin(visit: FolderVisit): void {
    this.#keep(visit);
    this.#toVisit.push(visit);
  }

  #keep(visit: FolderVisit): void {
    const { depth, path } = visit.at;
    for (let d = this.#visits.length; d <= depth; d++) this.#visits.push([]);
    this.#visits[depth]?.push(visit);
    this.#byPath.set(path, visit);
  }

  #look(visit: FolderVisit): void {
    const { known } = visit;
    const { place, bytes, stamp, rules } = visit.at;
    try {
      const isSame = known !== undefined && !this.#parts.force && sameStamp(known.stamp, stamp);
      const entries = isSame ? undefined : entriesIn(place);
      const ignoreFiles = entries === undefined ? (known as FolderRecord).ignoreFiles : bitsOf(entries);
      visit.rules = this.#reach.rulesIn(place, bytes, ignoreFiles, rules);
      if (isSame && known.rules === visit.rules.key) {
        this.#lookAgain(visit, known);
        return;
      }
      visit.empty();
      visit.ignoreFiles = ignoreFiles;
      this.#meetAll(visit, entries ?? entriesIn(place));
    } catch (error) {
      this.#leave(visit, codeOf(error));
    }
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
    for (const { name: raw, isFile } of entries) {
      if (NEVER_IN_TREE.has(raw)) continue;
      const name = pathText(raw);
      const old = slots?.get(name);
      if (isFile && old === undefined) this.#meetFile(visit, name, raw);
      else this.#meet(visit, { name, raw, old });
    }
  }

  /** A file that nothing is known of: whoever reads it looks at it. */
  #meetFile(visit: FolderVisit, name: string, raw: string): void {
    if (visit.rules.leaveOut(pathIn(visit.at.bytes, raw), raw, false)) return;
    const slot = visit.add(name, { kind: 'f', id: '', content: '', stamp: [0, 0, 0, 0] });
    this.#read(visit, { slot, name, raw });
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

  #enter(visit: FolderVisit, child: Child): void {
    const { slot, name, raw, found } = child;
    const path = pathIn(visit.at.path, name);
    const known = this.#parts.index.folder(path);
    const isKnown = known !== undefined && known.stamp.inode === found.ino;
    if (visit.isShallow && isKnown && visit.known?.rules === visit.rules.key) {
      visit.setId(slot, known.id);
      return;
    }
    if (this.#byPath.has(path)) return;
    try {
      const place = this.#places.below(visit.at.place, raw);
      const bytes = pathIn(visit.at.bytes, raw);
      const stamp = this.#stamps.stampOf(found);
      const at = { path, bytes, place, depth: visit.at.depth + 1, rules: visit.rules, stamp };
      this.#begin(new FolderVisit(at, known, { parent: visit, slot }));
    } catch (error) {
      visit.drop(slot, refusal(codeOf(error)));
    }
  }

  /** Reads a file, or where a link leads. */
  #take(visit: FolderVisit, child: Child): void {
    const { slot, name, raw, found } = child;
    if (letterOf(found.mode) !== 'l') {
      this.#read(visit, { slot, name, raw, stamp: [found.size, found.mtimeMs, found.ctimeMs, found.ino] });
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

  #read(visit: FolderVisit, file: Omit<Child, 'found'> & { readonly stamp?: Numbers }): void {
    const { slot, name, raw, stamp } = file;
    this.#files.push({
      path: `${visit.at.place}/${raw}`,
      stamp,
      onRead: (read) => {
        const { hash, kind, trouble } = read;
        if (hash === '') {
          visit.drop(slot, NOT_THERE.has(trouble) ? undefined : refusal(trouble));
          return;
        }
        const id = fileNodeId(pathIn(visit.at.path, name), hash, kind === 'x');
        visit.set(slot, { kind, id, content: hash, stamp: this.#stamps.afterReading(read) });
        if (trouble !== '') visit.note(name, 'it kept changing while it was read; what was read last counts');
      },
    });
  }

  /** A folder that cannot be listed is no node; what holds it says why. */
  #leave(visit: FolderVisit, code: string): void {
    visit.isGone = true;
    if (visit.at.path === '') throw this.#reach.failure(code);
    const why = NOT_THERE.has(code) ? undefined : refusal(code);
    if (visit.parent !== undefined) {
      visit.parent.drop(visit.slot, why);
      return;
    }
    const above = this.#byPath.get(folderOf(visit.at.path)) ?? this.#pass(folderOf(visit.at.path));
    const slot = above.slotOf(nameOf(visit.at.path));
    if (slot >= 0) above.drop(slot, why);
  }

  #tellParent(visit: FolderVisit, id: string): void {
    if (visit.parent !== undefined) {
      visit.parent.setId(visit.slot, id);
      return;
    }
    if (visit.at.path === '') return;
    const above = this.#byPath.get(folderOf(visit.at.path)) ?? this.#pass(folderOf(visit.at.path));
    const slot = above.slotOf(nameOf(visit.at.path));
    if (slot >= 0) above.setId(slot, id);
  }

  /** A folder above one that was looked at: only the id of that one changes in it. */
  #pass(path: string): FolderVisit {
    const known = this.#parts.index.folder(path) as FolderRecord;
    const depth = path === '' ? 0 : path.split('/').length;
    const at = { path, bytes: '', place: '', depth, rules: IgnoreRules.none, stamp: known.stamp };
    const visit = new FolderVisit(at, known, 'passed');
    this.#keep(visit);
    return visit;
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

function isGone(visit: FolderVisit): boolean {
  for (let at: FolderVisit | undefined = visit; at !== undefined; at = at.parent) if (at.isGone) return true;
  return false;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function refusal(code: string): string {
  if (code === 'EACCES' || code === 'EPERM') return 'it may not be read; check its permissions';
  if (code === 'ENAMETOOLONG') return 'its path is longer than this system can reach';
  return `the system answers ${code} when it is read`;
}
