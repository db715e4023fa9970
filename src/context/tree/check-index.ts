import { kindAt, pathIn } from './indexed-tree.ts';
import { directoryNodeId, fileNodeId, linkNodeId } from './node-ids.ts';
import type { NodeIndex } from './ports.ts';
import type { FolderRecord } from './types.ts';

/** Something about the index that cannot be. */
export interface IndexFault {
  readonly where: string;
  readonly what: string;
}

/** Works out every id anew from what the index says. The index is a cache: a scan with --force mends what is found. */
export function checkIndex(index: NodeIndex): readonly IndexFault[] {
  const root = index.folder('');
  if (root === undefined) return [];
  const faults: IndexFault[] = [];
  const folders = new Map([root, ...index.foldersBelow('')].map((folder) => [folder.path, folder]));
  const reached = new Set(['']);
  for (const folder of folders.values()) {
    for (const [at, name] of folder.names.entries()) {
      const path = pathIn(folder.path, name);
      if (kindAt(folder, at) === 'directory') reached.add(path);
      if (idOf(folder, at, folders.get(path)) !== folder.ids[at])
        faults.push({
          where: path,
          what: 'its id in the index does not follow from what the index says of it',
        });
    }
    if (directoryNodeId(folder.path, folder.names, folder.ids) !== folder.id)
      faults.push({ where: folder.path || '.', what: 'its id does not follow from its children' });
  }
  for (const path of folders.keys())
    if (!reached.has(path)) faults.push({ where: path, what: 'it is in the index but in no folder' });
  return faults;
}

function idOf(folder: FolderRecord, at: number, itself: FolderRecord | undefined): string | undefined {
  const path = pathIn(folder.path, folder.names[at] as string);
  const content = folder.contents[at] as string;
  const kind = kindAt(folder, at);
  if (kind === 'directory') return itself?.id;
  return kind === 'link' ? linkNodeId(path, content) : fileNodeId(path, content, folder.kinds[at] === 'x');
}
