import { digestOf } from '../../kernel/index.ts';
import type { FolderRecord } from './types.ts';

// No path, name or target holds a NUL, so no two nodes have the same text to hash.

/** The id of a file: of its path, what is in it, and whether it may be executed. */
export function fileNodeId(path: string, contentHash: string, executable: boolean): string {
  return digestOf(`file\0${path}\0${contentHash}\0${executable ? 'x' : '-'}`);
}

/** The id of a link: of its path and the path that it names. */
export function linkNodeId(path: string, target: string): string {
  return digestOf(`link\0${path}\0${target}`);
}

/** What the children of a directory are, in the order of the bytes of their names. */
type Children = Pick<FolderRecord, 'names' | 'kinds' | 'contents'>;

/**
 * The id of a directory: of its path and its children. A child's name and content stand for its id, which follows from
 * them, so no id of a file has to be computed for it.
 */
export function directoryNodeId(path: string, { names, kinds, contents }: Children): string {
  let text = `directory\0${path}\0`;
  for (let i = 0; i < names.length; i++) text += `${names[i]}\0${kinds[i]}${contents[i]}\0`;
  return digestOf(text);
}

/** The id of a node, by the letter of its kind and its content, as a record has them. */
export function nodeIdOf(path: string, kind: string, content: string): string {
  if (kind === 'd') return content;
  return kind === 'l' ? linkNodeId(path, content) : fileNodeId(path, content, kind === 'x');
}
