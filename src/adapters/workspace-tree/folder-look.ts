// Owns: looking at one folder, and comparing what is in it with what is known. Does not own: what becomes of its children.
import type { Stats } from 'node:fs';
import {
  type FolderRecord,
  IGNORE_FILES,
  NEVER_IN_TREE,
  PackedFolder,
  pathBytes,
  pathIn,
  pathText,
} from '../../context/index.ts';
import type { FolderReach } from './folder-reach.ts';
import type { OpenFolder } from './folder-taker.ts';
import { type FolderVisit, NUMBERS } from './folder-visit.ts';
import type { FoundChildren } from './found-children.ts';
import type { KnownFolder } from './known-walk.ts';
import { isFolder, isUnchanged, letterOf, type Numbers, type Stamps, sameStamp } from './node-stamp.ts';
import { refusalOf, SPECIAL } from './refusal.ts';
import { codeOf, entriesIn, type FolderEntry, lookAt } from './system-paths.ts';
import type { Taken } from './take-queue.ts';
import type { VisitedFolders } from './visited-folders.ts';

const HASH_LENGTH = 64;

/** What looking at a folder needs. */
export interface FolderLookParts {
  readonly reach: FolderReach;
  readonly stamps: Stamps;
  readonly folders: VisitedFolders;
  readonly children: FoundChildren;
  /** Nothing that is known counts. */
  readonly force: boolean;
  /** A folder was listed; it has at least so many folders that nothing is known of. */
  readonly onListed: (folders: number) => void;
  /** The names in a folder are as they are known; whether its files are is still to be found out. */
  readonly onSameNames: (folder: KnownFolder) => void;
}

export class FolderLook {
  readonly #parts: FolderLookParts;

  constructor(parts: FolderLookParts) {
    this.#parts = parts;
  }

  look(visit: FolderVisit): void {
    try {
      if (visit.stamp === undefined) {
        const found = lookAt(visit.at.place);
        if (!isFolder(found)) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
        this.#sawFolder(visit, [found.size, found.mtimeMs, found.ctimeMs, found.ino]);
      }
      this.#compare(visit);
    } catch (error) {
      this.#leave(visit, codeOf(error));
    }
  }

  /** A thread was asked to take the folder. */
  onTaken(visit: FolderVisit, taken: Taken): void {
    if (taken === 'declined') this.look(visit);
    else if (taken instanceof PackedFolder) {
      const { size, modifiedAt, changedAt, inode } = taken.stamp;
      this.#sawFolder(visit, [size, modifiedAt, changedAt, inode]);
      visit.whole = taken;
    } else this.#open(visit, taken);
  }

  /** Looks at the files and links that are known to be in a folder whose names have not changed. */
  lookAtLeaves(visit: FolderVisit): void {
    const { kinds } = visit.known as FolderRecord;
    for (let slot = 0; slot < kinds.length; slot++) if (kinds[slot] !== 'd') this.lookAtChild(visit, slot);
  }

  /** Looks at what is known to be at this place of a folder. */
  lookAtChild(visit: FolderVisit, slot: number): void {
    const { children } = this.#parts;
    const known = visit.known as FolderRecord;
    const name = known.names[slot] as string;
    const raw = pathBytes(name);
    const found = this.#find(visit, raw, (why) => visit.drop(slot, why));
    if (found === undefined) return;
    const letter = letterOf(found.mode);
    if (letter === 'd') children.enter(visit, { slot, name, raw, found });
    else if (letter === '') visit.drop(slot, SPECIAL);
    else if (letter !== known.kinds[slot] || !isUnchanged(known, slot, found))
      children.read(visit, { slot, name, raw, found });
  }

  #compare(visit: FolderVisit): void {
    const { reach, force, onListed, onSameNames } = this.#parts;
    const { known, stamp } = visit;
    const { place } = visit.at;
    const isSame = known && stamp && !force && sameStamp(known.stamp, stamp);
    const entries = isSame ? undefined : entriesIn(place);
    if (entries !== undefined) onListed(foldersAmong(entries) - (known && !force ? foldersOf(known) : 0));
    const ignoreFiles = entries === undefined ? (known as FolderRecord).ignoreFiles : bitsOf(entries);
    const { rules, tooLarge } = reach.rulesIn(visit.at, ignoreFiles, visit.at.rules);
    visit.rules = rules;
    if (isSame && known.rules === rules.key) {
      for (let slot = known.kinds.indexOf('d'); slot >= 0; slot = known.kinds.indexOf('d', slot + 1))
        this.lookAtChild(visit, slot);
      onSameNames({ at: visit.at, known, rules });
      return;
    }
    visit.empty();
    visit.ignoreFiles = ignoreFiles;
    for (const name of tooLarge) visit.note(name, 'it is larger than 4 MiB, so its rules do not count');
    this.#meetAll(visit, entries ?? entriesIn(place));
  }

  #sawFolder(visit: FolderVisit, numbers: Numbers): void {
    const [size, mtimeMs, ctimeMs, ino] = numbers;
    const stamp = this.#parts.stamps.numbersOf({ size, mtimeMs, ctimeMs, ino });
    visit.stamp = { size, modifiedAt: mtimeMs, changedAt: stamp[2], inode: ino };
    visit.parent?.setStamp(visit.slot, stamp);
  }

  /** A folder whose files are read, and some of whose folders are not taken yet. */
  #open(visit: FolderVisit, taken: OpenFolder): void {
    this.#sawFolder(visit, taken.stamp);
    visit.empty();
    visit.leftOut = taken.leftOut === '' ? [] : taken.leftOut.split('/');
    for (const [i, name] of taken.names.split('/').entries()) {
      const kind = taken.kinds[i] as string;
      const content = taken.hashes.slice(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).trimEnd();
      const stamp = taken.stamps.slice(i * NUMBERS, (i + 1) * NUMBERS) as Numbers;
      const slot = visit.add(name, { kind, content, stamp });
      if (content === '') this.#parts.children.enter(visit, { slot, name, raw: pathBytes(name) });
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
      else this.#meetNew(visit, { name, raw, isFolder: kind === 'd' });
    }
  }

  /** A file or folder that nothing is known of: whoever reads or lists it looks at it. */
  #meetNew(
    visit: FolderVisit,
    { name, raw, isFolder }: { readonly name: string; readonly raw: string; readonly isFolder: boolean },
  ): void {
    const { children } = this.#parts;
    const isLeftOut = visit.rules.leaveOut(pathIn(visit.at.bytes, raw), raw, isFolder);
    if (isLeftOut && isFolder) visit.leftOut.push(name);
    if (isLeftOut) return;
    if (isFolder) children.enter(visit, { slot: visit.addUnseen(name, 'd'), name, raw });
    else children.readUnseen(visit, name, raw);
  }

  #meet(
    visit: FolderVisit,
    { name, raw, old }: { readonly name: string; readonly raw: string; readonly old: number | undefined },
  ): void {
    const { stamps, children } = this.#parts;
    const found = this.#find(visit, raw, (why) => why && visit.note(name, why));
    if (found === undefined) return;
    const kind = letterOf(found.mode);
    if (visit.rules.leaveOut(pathIn(visit.at.bytes, raw), raw, kind === 'd')) {
      if (kind === 'd') visit.leftOut.push(name);
      return;
    }
    if (kind === '') {
      visit.note(name, SPECIAL);
      return;
    }
    const known = old === undefined ? undefined : visit.known;
    const content = known === undefined || old === undefined ? '' : (known.contents[old] as string);
    const slot = visit.add(name, { kind, content, stamp: stamps.numbersOf(found) });
    const isKept =
      known !== undefined && old !== undefined && kind === known.kinds[old] && isUnchanged(known, old, found);
    if (kind === 'd') children.enter(visit, { slot, name, raw, found });
    else if (!isKept) children.read(visit, { slot, name, raw, found });
  }

  #find(visit: FolderVisit, raw: string, onTrouble: (why?: string) => void): Stats | undefined {
    try {
      const found = lookAt(`${visit.at.place}/${raw}`);
      if (found !== undefined) return found;
      onTrouble();
    } catch (error) {
      onTrouble(refusalOf(codeOf(error)));
    }
    visit.mustLookAgain = true;
    return undefined;
  }

  /** A folder that cannot be listed is no node; what holds it says why. */
  #leave(visit: FolderVisit, code: string): void {
    if (visit.at.path === '') throw this.#parts.reach.failure(code);
    this.#parts.folders.leave(visit, refusalOf(code));
  }
}

function foldersAmong(entries: readonly FolderEntry[]): number {
  return entries.filter(({ kind }) => kind === 'd').length;
}

function foldersOf({ kinds }: FolderRecord): number {
  return kinds.split('d').length - 1;
}

function bitsOf(entries: readonly FolderEntry[]): number {
  let bits = 0;
  for (const [bit, name] of IGNORE_FILES.entries())
    if (entries.some((entry) => entry.name === name)) bits |= 1 << bit;
  return bits;
}
