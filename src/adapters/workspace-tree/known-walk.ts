// Owns: going through folders that are as they are known, with as little as can be. Does not own: what differs.
// I1 A folder that is as it is known has no visit; one gets it with the first thing that differs.
import {
  type FolderRecord,
  type IgnoreRules,
  type NodeIndex,
  pathBytes,
  pathIn,
} from '../../context/index.ts';
import type { FolderReach } from './folder-reach.ts';
import { type FolderPlace, FolderVisit } from './folder-visit.ts';
import { isFolder, type Stamps, sameStamp } from './node-stamp.ts';
import { lookAt, type Places } from './system-paths.ts';
import type { VisitedFolders } from './visited-folders.ts';

/** A folder whose names and rules are as they are known. */
export interface KnownFolder {
  readonly at: FolderPlace;
  readonly known: FolderRecord;
  /** Those that hold in it. */
  readonly rules: IgnoreRules;
}

/** What going through known folders needs. */
export interface KnownWalkParts {
  readonly index: NodeIndex;
  readonly places: Places;
  readonly stamps: Stamps;
  readonly reach: FolderReach;
  readonly folders: VisitedFolders;
  /** Its files and links are still to be checked. */
  readonly onSame: (folder: KnownFolder) => void;
  /** Other rules hold in a folder than when it was last seen. */
  readonly onOtherRules: (visit: FolderVisit) => void;
  /** What is at this place of a folder is no folder any more, or its names have changed. */
  readonly onOtherFolder: (visit: FolderVisit, slot: number) => void;
}

export class KnownWalk {
  readonly #parts: KnownWalkParts;
  readonly #toEnter: { readonly at: FolderPlace; readonly known: FolderRecord }[] = [];

  constructor(parts: KnownWalkParts) {
    this.#parts = parts;
  }

  /** True when a folder can be gone through in this way. What it left out has to be told anew, and so needs a visit. */
  isSame(known: FolderRecord | undefined, at: FolderPlace): known is FolderRecord {
    return (
      known !== undefined &&
      at.stamp !== undefined &&
      sameStamp(known.stamp, at.stamp) &&
      known.skipped.length === 0
    );
  }

  push(at: FolderPlace, known: FolderRecord): void {
    this.#toEnter.push({ at, known });
  }

  /** Goes into one more folder; false when there is none. */
  next(): boolean {
    const folder = this.#toEnter.pop();
    if (folder === undefined) return false;
    const { reach, onSame, onOtherRules } = this.#parts;
    const { at, known } = folder;
    const rules = known.ignoreFiles === 0 ? at.rules : reach.rulesIn(at, known.ignoreFiles, at.rules).rules;
    if (known.rules === rules.key) {
      onSame({ at, known, rules });
      this.#enterFolders({ at, known, rules });
    } else onOtherRules(this.visitOf({ at, known, rules: at.rules }));
    return true;
  }

  /** The visit to a folder in which something differs. */
  visitOf({ at, known, rules }: KnownFolder): FolderVisit {
    const { folders } = this.#parts;
    const begun = folders.get(at.path);
    if (begun !== undefined) return begun;
    const visit = new FolderVisit(at, known);
    visit.rules = rules;
    folders.begin(visit);
    return visit;
  }

  #enterFolders(folder: KnownFolder): void {
    const { kinds } = folder.known;
    for (let slot = kinds.indexOf('d'); slot >= 0; slot = kinds.indexOf('d', slot + 1))
      if (!this.#enter(folder, folder.known.names[slot] as string))
        this.#parts.onOtherFolder(this.visitOf(folder), slot);
  }

  #enter({ at, rules }: KnownFolder, name: string): boolean {
    const { index, places, stamps } = this.#parts;
    const raw = pathBytes(name);
    try {
      const found = lookAt(`${at.place}/${raw}`);
      if (!isFolder(found)) return false;
      const path = pathIn(at.path, name);
      const below = {
        path,
        bytes: pathIn(at.bytes, raw),
        place: places.below(at.place, raw),
        depth: at.depth + 1,
        rules,
        stamp: stamps.stampOf(found),
      };
      const known = index.folder(path);
      if (!this.isSame(known, below)) return false;
      this.push(below, known);
      return true;
    } catch {
      // Whoever looks at it anew says what the system answers.
      return false;
    }
  }
}
