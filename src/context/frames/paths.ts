/** The folder that a path stands in; null for the root. */
export function parentOf(path: string): string | null {
  if (path === '') return null;
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The path of a child of a folder. */
export function childPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}/${name}`;
}

/** How many folders a path is below the root. */
export function depthOf(path: string): number {
  return path === '' ? 0 : path.split('/').length;
}

/** Whether a path is this one or below it. */
export function isWithin(path: string, scope: string): boolean {
  return scope === '' || path === scope || path.startsWith(`${scope}/`);
}

/** A path as a person names it. */
export function showPath(path: string): string {
  return path === '' ? '.' : path;
}
