import {
  type FolderRecord,
  kindAt,
  type NodeIndexChange,
  nodeIdAt,
  PackedFolder,
  pathIn,
  TreeDelta,
} from '../../context/index.ts';

/** Puts folders into the index and keeps what differs from before. */
export class IndexChange {
  readonly delta = new TreeDelta();
  readonly #index: NodeIndexChange;

  constructor(index: NodeIndexChange) {
    this.#index = index;
  }

  /** Puts a folder in the place of the known one. */
  put(record: FolderRecord, known: FolderRecord | undefined): void {
    const packed = PackedFolder.of(record);
    this.#index.put(packed);
    if (record.path === '' && record.id !== known?.id) this.delta.add('', 'directory', known?.id, record.id);
    if (known === undefined) this.delta.addChildren(packed);
    else if (record.id !== known.id) this.#compare(record, known);
  }

  #compare(record: FolderRecord, known: FolderRecord): void {
    const before = new Map(known.names.map((name, slot) => [name, slot]));
    for (const [slot, name] of record.names.entries()) {
      const old = before.get(name);
      before.delete(name);
      const [kind, path] = [kindAt(record, slot), pathIn(record.path, name)];
      if (old === undefined) this.delta.add(path, kind, undefined, nodeIdAt(record, slot));
      else if (!isSameChild(record, slot, known, old))
        this.delta.add(path, kind, nodeIdAt(known, old), nodeIdAt(record, slot));
      if (old !== undefined && known.kinds[old] === 'd' && kind !== 'directory') this.#removeBelow(path);
    }
    for (const [name, slot] of before) this.#remove(known, name, slot);
  }

  #remove(folder: FolderRecord, name: string, slot: number): void {
    const [path, kind] = [pathIn(folder.path, name), kindAt(folder, slot)];
    this.delta.add(path, kind, nodeIdAt(folder, slot));
    if (kind === 'directory') this.#removeBelow(path);
  }

  #removeBelow(path: string): void {
    const itself = this.#index.folder(path);
    const gone = [...(itself === undefined ? [] : [itself]), ...this.#index.foldersBelow(path)];
    for (const folder of gone) {
      for (const [slot, name] of folder.names.entries())
        this.delta.add(pathIn(folder.path, name), kindAt(folder, slot), nodeIdAt(folder, slot));
      this.#index.remove(folder.path);
    }
  }
}

/** Of equal name, kind and content, so that its id is the same. */
function isSameChild(record: FolderRecord, slot: number, known: FolderRecord, old: number): boolean {
  return record.kinds[slot] === known.kinds[old] && record.contents[slot] === known.contents[old];
}
