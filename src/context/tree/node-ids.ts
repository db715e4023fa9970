import { digestOf } from '../../kernel/index.ts';
import type { FolderRecord } from './types.ts';

// No path, name or target holds a NUL, so no two nodes have the same text to hash.

/** The id of a file: a digest of its path, content and executable bit. */
export function fileNodeId(path: string, contentHash: string, executable: boolean): string {
  return digestOf(`file\0${path}\0${contentHash}\0${executable ? 'x' : '-'}`);
}

/** The id of a link: a digest of its path and target. */
export function linkNodeId(path: string, target: string): string {
  return digestOf(`link\0${path}\0${target}`);
}

/** The children of a directory, ordered by the bytes of their names. */
type Children = Pick<FolderRecord, 'names' | 'kinds' | 'contents'>;

/**
 * The id of a directory: a digest of its path and children. A child's name and content replace its id, which depends on
 * them, so that file ids need not be computed.
 */
export function directoryNodeId(path: string, { names, kinds, contents }: Children): string {
  let text = `directory\0${path}\0`;
  for (let i = 0; i < names.length; i++) text += `${names[i]}\0${kinds[i]}${contents[i]}\0`;
  return digestOf(text);
}

/** The id of a node by the letter of its kind and its content, as in a record. */
export function nodeIdOf(path: string, kind: string, content: string): string {
  if (kind === 'd') return content;
  return kind === 'l' ? linkNodeId(path, content) : fileNodeId(path, content, kind === 'x');
}
