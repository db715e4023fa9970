import { pathIn } from '../paths.ts';
import type { ChildRef, NodeKind, NodeRecord, WorkspaceTree } from '../types.ts';
import { directoryNodeId, nodeIdOf } from './node-ids.ts';
import { HASH_DIGITS } from './packed-folder.ts';
import type { NodeIndex } from './ports.ts';
import type { FolderRecord } from './types.ts';

const KINDS: ReadonlyMap<string, NodeKind> = new Map([
  ['f', 'file'],
  ['x', 'file'],
  ['d', 'directory'],
  ['l', 'link'],
]);
const MAX_BY_ID = 2;
const SIZE = 0;
const NUMBERS = 4;

/** The workspace tree, read from the index. */
export class IndexedTree implements Pick<WorkspaceTree, 'node' | 'byId' | 'children'> {
  readonly #index: NodeIndex;

  constructor(index: NodeIndex) {
    this.#index = index;
  }

  async node(path: string): Promise<NodeRecord | undefined> {
    if (path === '') return rootNode(this.#index.folder(''));
    const end = path.lastIndexOf('/');
    const folder = this.#index.folder(end < 0 ? '' : path.slice(0, end));
    const at = folder === undefined ? -1 : folder.names.indexOf(path.slice(end + 1));
    return folder === undefined || at < 0 ? undefined : childNode(folder, at);
  }

  async byId(prefix: string): Promise<readonly NodeRecord[]> {
    const found: NodeRecord[] = [];
    // A whole id is unique.
    const limit = prefix.length === HASH_DIGITS ? 1 : MAX_BY_ID + 1;
    for (const folder of this.#index.foldersWithId(prefix, limit)) {
      const root = folder.path === '' ? rootNode(folder) : undefined;
      if (root?.id.startsWith(prefix)) found.push(root);
      for (const at of folder.names.keys())
        if (nodeIdAt(folder, at).startsWith(prefix)) found.push(childNode(folder, at));
      if (found.length >= MAX_BY_ID) break;
    }
    return found.slice(0, MAX_BY_ID);
  }

  async children(path: string): Promise<readonly ChildRef[]> {
    const folder = this.#index.folder(path);
    if (folder === undefined) return [];
    return folder.names.map((name, at) => ({ name, id: nodeIdAt(folder, at), kind: kindAt(folder, at) }));
  }
}

/** The kind of a record's letter; undefined if the letter is invalid. */
export function kindOf(letter: string): NodeKind | undefined {
  return KINDS.get(letter);
}

/** The kind of the child at this position. */
export function kindAt(folder: Pick<FolderRecord, 'kinds'>, at: number): NodeKind {
  return kindOf(folder.kinds[at] as string) as NodeKind;
}

/** The node id of the child at this position. */
export function nodeIdAt(folder: FolderRecord, at: number): string {
  const path = pathIn(folder.path, folder.names[at] as string);
  return nodeIdOf(path, folder.kinds[at] as string, folder.contents[at] as string);
}

/** Whether a folder, or a node in it, has an id with this prefix. */
export function holdsId(folder: FolderRecord, prefix: string): boolean {
  if (folder.path === '' && folder.id.startsWith(prefix)) return true;
  return folder.names.some((_, at) => nodeIdAt(folder, at).startsWith(prefix));
}

function rootNode(folder: FolderRecord | undefined): NodeRecord | undefined {
  return folder && { id: folder.id, path: '', kind: 'directory' };
}

function childNode(folder: FolderRecord, at: number): NodeRecord {
  const kind = kindAt(folder, at);
  const node = { id: nodeIdAt(folder, at), path: pathIn(folder.path, folder.names[at] as string), kind };
  const content = folder.contents[at] as string;
  if (kind === 'link') return { ...node, target: content };
  if (kind === 'directory') return node;
  const size = folder.stamps[at * NUMBERS + SIZE] as number;
  return { ...node, size, contentHash: content, executable: folder.kinds[at] === 'x' };
}

export interface IndexFault {
  readonly where: string;
  readonly what: string;
}

/** Recomputes the id of every folder from the index. The index is a cache: `scan --force` repairs faults. */
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
        faults.push({ where: path, what: 'its id differs from the one in its parent folder' });
    }
    if (directoryNodeId(folder.path, folder) !== folder.id)
      faults.push({ where: folder.path || '.', what: 'its id does not match its children' });
  }
  for (const path of folders.keys())
    if (!reached.has(path)) faults.push({ where: path, what: 'it is in the index but has no parent folder' });
  return faults;
}
