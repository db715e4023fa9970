import { pathIn } from '../paths.ts';
import { kindAt, nodeIdAt } from './indexed-tree.ts';
import { PackedFolder } from './packed-folder.ts';
import type { NodeIndexChange } from './ports.ts';
import type { TreeDelta } from './tree-delta.ts';
import type { FolderRecord } from './types.ts';

/** Replaces a folder of the index by its new record and adds to the delta what differs from the known one. */
export function putFolder(
  index: NodeIndexChange,
  delta: TreeDelta,
  record: FolderRecord,
  known: FolderRecord | undefined,
): void {
  const packed = PackedFolder.of(record);
  index.put(packed);
  if (record.path === '' && record.id !== known?.id) delta.add('', 'directory', known?.id, record.id);
  if (known === undefined) delta.addChildren(packed);
  else if (record.id !== known.id) addDifferences(index, delta, record, known);
}

function addDifferences(
  index: NodeIndexChange,
  delta: TreeDelta,
  record: FolderRecord,
  known: FolderRecord,
): void {
  const before = new Map(known.names.map((name, slot) => [name, slot]));
  for (const [slot, name] of record.names.entries()) {
    const old = before.get(name);
    before.delete(name);
    const [kind, path] = [kindAt(record, slot), pathIn(record.path, name)];
    if (old === undefined) delta.add(path, kind, undefined, nodeIdAt(record, slot));
    else if (record.kinds[slot] !== known.kinds[old] || record.contents[slot] !== known.contents[old])
      delta.add(path, kind, nodeIdAt(known, old), nodeIdAt(record, slot));
    if (old !== undefined && known.kinds[old] === 'd' && kind !== 'directory') removeTree(index, delta, path);
  }
  for (const [name, slot] of before) {
    const [path, kind] = [pathIn(known.path, name), kindAt(known, slot)];
    delta.add(path, kind, nodeIdAt(known, slot));
    if (kind === 'directory') removeTree(index, delta, path);
  }
}

/** Removes a folder and all folders below it. */
function removeTree(index: NodeIndexChange, delta: TreeDelta, path: string): void {
  const top = index.folder(path);
  for (const folder of [...(top === undefined ? [] : [top]), ...index.foldersBelow(path)]) {
    for (const [slot, name] of folder.names.entries())
      delta.add(pathIn(folder.path, name), kindAt(folder, slot), nodeIdAt(folder, slot));
    index.remove(folder.path);
  }
}
