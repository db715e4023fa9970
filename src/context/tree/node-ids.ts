import { digestOf } from '../../kernel/index.ts';

// No path, name or target holds a NUL, so no two nodes have the same text to hash.

/** What a file's id is the hash of. It runs in worker threads as the text that it is, so it uses nothing else. */
export function fileNodeText(path: string, contentHash: string, executable: boolean): string {
  return `file\0${path}\0${contentHash}\0${executable ? 'x' : '-'}`;
}

/** The id of a file: of its path, what is in it, and whether it may be executed. */
export function fileNodeId(path: string, contentHash: string, executable: boolean): string {
  return digestOf(fileNodeText(path, contentHash, executable));
}

/** The id of a link: of its path and the path that it names. */
export function linkNodeId(path: string, target: string): string {
  return digestOf(`link\0${path}\0${target}`);
}

/** What a directory's id is the hash of. It runs in worker threads as the text that it is, so it uses nothing else. */
export function directoryNodeText(path: string, names: readonly string[], ids: readonly string[]): string {
  let text = `directory\0${path}\0`;
  for (let i = 0; i < names.length; i++) text += `${names[i]}\0${ids[i]}\0`;
  return text;
}

/** The id of a directory: of its path and its children, which must be ordered by the bytes of their names. */
export function directoryNodeId(path: string, names: readonly string[], ids: readonly string[]): string {
  return digestOf(directoryNodeText(path, names, ids));
}
