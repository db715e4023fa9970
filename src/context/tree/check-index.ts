import { kindAt, pathIn } from './indexed-tree.ts';
import { directoryNodeId } from './node-ids.ts';
import type { NodeIndex } from './ports.ts';

/** Something about the index that cannot be. */
export interface IndexFault {
  readonly where: string;
  readonly what: string;
}

/** Works out the id of every folder anew from what the index says. The index is a cache: a scan with --force mends what is found. */
export function checkIndex(index: NodeIndex): readonly IndexFault[] {
  const root = index.folder('');
  if (root === undefined) return [];
  const faults: IndexFault[] = [];
  const folders = new Map([root, ...index.foldersBelow('')].map((folder) => [folder.path, folder]));
  const reached = new Set(['']);
  for (const folder of folders.values()) {
    for (const [at, name] of folder.names.entries()) {
      if (kindAt(folder, at) !== 'directory') continue;
      const path = pathIn(folder.path, name);
      reached.add(path);
      if (folders.get(path)?.id !== folder.contents[at])
        faults.push({ where: path, what: 'its id is another one than the folder that holds it says' });
    }
    if (directoryNodeId(folder.path, folder) !== folder.id)
      faults.push({ where: folder.path || '.', what: 'its id does not follow from its children' });
  }
  for (const path of folders.keys())
    if (!reached.has(path)) faults.push({ where: path, what: 'it is in the index but in no folder' });
  return faults;
}
