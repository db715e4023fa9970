/** Normalizes a workspace path: forward slashes, none at the ends; empty for the workspace itself. */
export function normalizePath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/');
}

/** Whether `path` is `subtree` or below it. */
export function isWithin(path: string, subtree: string): boolean {
  const inner = normalizePath(path);
  const outer = normalizePath(subtree);
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`);
}
