// Owns: what is done with a child that someone has found in a folder. Does not own: finding it.
import type { Stats } from 'node:fs';
import { type NodeIndex, pathIn, pathText } from '../../context/index.ts';
import { FolderVisit } from './folder-visit.ts';
import type { KnownWalk } from './known-walk.ts';
import { letterOf, type Stamps } from './node-stamp.ts';
import type { ReadFile, ReadQueue } from './read-queue.ts';
import { refusalOf } from './refusal.ts';
import { codeOf, lookAt, type Places, targetOf } from './system-paths.ts';
import type { VisitedFolders } from './visited-folders.ts';

/** Something at a place of a folder. */
export interface ChildAt {
  readonly slot: number;
  readonly name: string;
  readonly raw: string;
  readonly found: Stats;
}

/** What dealing with children needs. */
export interface FoundChildrenParts {
  readonly index: NodeIndex;
  readonly places: Places;
  readonly stamps: Stamps;
  readonly folders: VisitedFolders;
  readonly files: ReadQueue;
  readonly knownWalk: KnownWalk;
  /** Nothing that is known counts. */
  readonly force: boolean;
  /** A folder has to be looked at. */
  readonly onFolder: (visit: FolderVisit) => void;
}

/** Enters folders, has files read, reads where links lead. */
export class FoundChildren {
  readonly #parts: FoundChildrenParts;

  constructor(parts: FoundChildrenParts) {
    this.#parts = parts;
  }

  /** A folder; without `found` whoever lists it looks at it first. */
  enter(visit: FolderVisit, child: Omit<ChildAt, 'found'> & { readonly found?: Stats }): void {
    const { index, places, stamps, folders, knownWalk, force, onFolder } = this.#parts;
    const { slot, name, raw, found } = child;
    const path = pathIn(visit.at.path, name);
    const known = index.folder(path);
    const isKnown = known !== undefined && known.stamp.inode === found?.ino;
    if (visit.isShallow && isKnown && visit.known?.rules === visit.rules.key) {
      visit.setId(slot, known.id);
      return;
    }
    if (folders.has(path)) return;
    try {
      const place = places.below(visit.at.place, raw);
      const bytes = pathIn(visit.at.bytes, raw);
      const direct = `${visit.at.place}/${raw}`;
      // A folder that is held open is reached by a link of the system, which must not be looked at itself.
      const looked = found ?? (place === direct ? undefined : lookAt(direct));
      const stamp = looked === undefined ? undefined : stamps.stampOf(looked);
      const at = { path, bytes, place, depth: visit.at.depth + 1, rules: visit.rules, stamp };
      if (!force && !visit.isOwn && knownWalk.isSame(known, at)) knownWalk.push(at, known);
      else onFolder(new FolderVisit(at, known, { parent: visit, slot }));
    } catch (error) {
      visit.drop(slot, refusalOf(codeOf(error)));
    }
  }

  /** A file that nobody has looked at: whoever reads it does. */
  readUnseen(visit: FolderVisit, name: string, raw: string): void {
    visit.open += 1;
    this.#parts.files.push(visit, visit.addUnseen(name, 'f'), raw);
  }

  /** A file, or a link, that has to be read. */
  read(visit: FolderVisit, child: ChildAt): void {
    const { slot, raw, found } = child;
    if (letterOf(found.mode) === 'l') {
      this.#readLink(visit, child);
      return;
    }
    const { size, mtimeMs, ctimeMs, ino } = found;
    visit.open += 1;
    this.#parts.files.push(visit, slot, raw, [size, mtimeMs, ctimeMs, ino]);
  }

  /** A file was read, or could not be. */
  onRead(visit: FolderVisit, slot: number, read: ReadFile): void {
    const { hash, kind, trouble } = read;
    if (hash === '') {
      visit.drop(slot, refusalOf(trouble));
      return;
    }
    visit.set(slot, { kind, content: hash, stamp: this.#parts.stamps.afterReading(read) });
    if (trouble !== '')
      visit.note(visit.nameAt(slot), 'it kept changing while it was read; what was read last counts');
  }

  #readLink(visit: FolderVisit, { slot, raw, found }: ChildAt): void {
    try {
      const content = pathText(targetOf(`${visit.at.place}/${raw}`));
      visit.set(slot, { kind: 'l', content, stamp: this.#parts.stamps.numbersOf(found) });
    } catch {
      visit.drop(slot);
    }
  }
}
