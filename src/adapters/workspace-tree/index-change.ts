import {
  type FolderRecord,
  kindAt,
  type NodeChange,
  type NodeIndexChange,
  pathIn,
} from '../../context/index.ts';

/** Puts folders into the index and keeps what differs from before. */
export class IndexChange {
  readonly changes: NodeChange[] = [];
  readonly #index: NodeIndexChange;

  constructor(index: NodeIndexChange) {
    this.#index = index;
  }

  /** Puts a folder in the place of the known one. */
  put(record: FolderRecord, known: FolderRecord | undefined): void {
    this.#index.put(record);
    if (record.path === '' && record.id !== known?.id) this.#tell('', 'directory', known?.id, record.id);
    if (record.id === known?.id) return;
    if (known === undefined) {
      for (let slot = 0; slot < record.names.length; slot++) this.#tellNew(record, slot);
      return;
    }
    const before = new Map(known.names.map((name, slot) => [name, slot]));
    for (const [slot, name] of record.names.entries()) {
      const old = before.get(name);
      before.delete(name);
      const [id, kind, path] = [record.ids[slot] as string, kindAt(record, slot), pathIn(record.path, name)];
      const oldId = old === undefined ? undefined : known.ids[old];
      if (oldId !== id) this.#tell(path, kind, oldId, id);
      if (old !== undefined && known.kinds[old] === 'd' && kind !== 'directory') this.#removeBelow(path);
    }
    for (const [name, slot] of before) this.#remove(known, name, slot);
  }

  #tellNew(record: FolderRecord, slot: number): void {
    const path = pathIn(record.path, record.names[slot] as string);
    this.#tell(path, kindAt(record, slot), undefined, record.ids[slot]);
  }

  #remove(folder: FolderRecord, name: string, slot: number): void {
    const [path, kind] = [pathIn(folder.path, name), kindAt(folder, slot)];
    this.#tell(path, kind, folder.ids[slot], undefined);
    if (kind === 'directory') this.#removeBelow(path);
  }

  #removeBelow(path: string): void {
    const itself = this.#index.folder(path);
    const gone = [...(itself === undefined ? [] : [itself]), ...this.#index.foldersBelow(path)];
    for (const folder of gone) {
      for (const [slot, name] of folder.names.entries())
        this.#tell(pathIn(folder.path, name), kindAt(folder, slot), folder.ids[slot], undefined);
      this.#index.remove(folder.path);
    }
  }

  #tell(path: string, kind: NodeChange['kind'], before: string | undefined, after: string | undefined): void {
    if (before === undefined) this.changes.push(after === undefined ? { path, kind } : { path, kind, after });
    else this.changes.push(after === undefined ? { path, kind, before } : { path, kind, before, after });
  }
}
