// Owns: the folders that a scan looks at, and putting them into the index, each after all that is in it. Does not own:
// looking. I1 A folder that is new is put there as soon as it is whole, and let go of; all others at the end, the deepest
// first.
import {
  type FolderRecord,
  IgnoreRules,
  type NodeIndexChange,
  pathIn,
  type SkippedPath,
  type TreeDelta,
} from '../../context/index.ts';
import { FolderVisit } from './folder-visit.ts';
import { IndexChange } from './index-change.ts';

export class VisitedFolders {
  readonly #index: NodeIndexChange;
  readonly #change: IndexChange;
  readonly #skipped: SkippedPath[] = [];
  readonly #byDepth: FolderVisit[][] = [];
  readonly #byPath = new Map<string, FolderVisit>();

  constructor(index: NodeIndexChange) {
    this.#index = index;
    this.#change = new IndexChange(index);
  }

  get(path: string): FolderVisit | undefined {
    return this.#byPath.get(path);
  }

  has(path: string): boolean {
    return this.#byPath.has(path);
  }

  /** A folder is looked at from now on; `settle` has to be called when it was listed. */
  begin(visit: FolderVisit): void {
    if (visit.parent !== undefined) visit.parent.open += 1;
    visit.open += 1;
    this.#keep(visit);
  }

  /** One thing less is under way in a folder. */
  settle(visit: FolderVisit): void {
    for (let at: FolderVisit | undefined = visit; at !== undefined; at = at.parent) {
      at.open -= 1;
      if (at.open > 0 || at.parent === undefined || at.known !== undefined) return;
      if (!isGone(at)) this.#conclude(at);
      at.letGo();
    }
  }

  /** Puts a whole folder into the index, in the place of the one that is known. */
  put(record: FolderRecord): void {
    this.#change.put(record, this.#index.folder(record.path));
  }

  /** A folder is no node; what holds it says why, if there is a reason to tell. */
  leave(visit: FolderVisit, why: string | undefined): void {
    visit.isGone = true;
    const [above, slot] = this.#placeOf(visit);
    if (slot >= 0) above.drop(slot, why);
  }

  /** Puts into the index what is not there yet. */
  finish(): { readonly delta: TreeDelta; readonly skipped: readonly SkippedPath[] } {
    for (let depth = this.#byDepth.length - 1; depth >= 0; depth--)
      for (const visit of this.#byDepth[depth] ?? [])
        if (!visit.isDone && !isGone(visit)) this.#conclude(visit);
    const skipped = this.#skipped.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { delta: this.#change.delta, skipped };
  }

  #conclude(visit: FolderVisit): void {
    const { known, parent } = visit;
    const record = visit.toRecord();
    if (visit.whole === undefined) {
      for (const { name, why } of record.skipped)
        this.#skipped.push({ path: pathIn(record.path, name), why });
      if (record !== known) this.#change.put(record, known);
    }
    if (visit.at.path === '' || (record.id === known?.id && !parent?.isOwn)) return;
    const [above, slot] = this.#placeOf(visit);
    if (slot >= 0) above.setId(slot, record.id);
  }

  #keep(visit: FolderVisit): void {
    const { depth, path } = visit.at;
    for (let d = this.#byDepth.length; d <= depth; d++) this.#byDepth.push([]);
    this.#byDepth[depth]?.push(visit);
    this.#byPath.set(path, visit);
  }

  /** What holds a folder, and its place there; not to be asked of the workspace. */
  #placeOf({ parent, slot, at }: FolderVisit): [FolderVisit, number] {
    if (parent !== undefined) return [parent, slot];
    const end = at.path.lastIndexOf('/');
    const path = at.path.slice(0, Math.max(end, 0));
    const above = this.#byPath.get(path) ?? this.#pass(path);
    return [above, above.slotOf(at.path.slice(end + 1))];
  }

  /** A folder above one that was looked at: only the id of that one changes in it. */
  #pass(path: string): FolderVisit {
    const known = this.#index.folder(path) as FolderRecord;
    const depth = path === '' ? 0 : path.split('/').length;
    const at = { path, bytes: '', place: '', depth, rules: IgnoreRules.none, stamp: known.stamp };
    const visit = new FolderVisit(at, known, 'passed');
    this.#keep(visit);
    return visit;
  }
}

function isGone(visit: FolderVisit): boolean {
  for (let at: FolderVisit | undefined = visit; at !== undefined; at = at.parent) if (at.isGone) return true;
  return false;
}
