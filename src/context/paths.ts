/** The parent folder of a path; null for the root. */
export function parentOf(path: string): string | null {
  if (path === '') return null;
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The path of an entry of a folder. */
export function pathIn(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

export function depthOf(path: string): number {
  return path === '' ? 0 : path.split('/').length;
}

/** The path for messages. */
export function showPath(path: string): string {
  return path === '' ? '.' : path;
}
