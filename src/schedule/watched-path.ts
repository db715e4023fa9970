/** A path of the workspace in one spelling: forward slashes, none at the ends; empty for the workspace itself. */
export function plainPath(path: string): string {
  return path
    .replaceAll('\\', '/')
    .split('/')
    .filter((name) => name !== '' && name !== '.')
    .join('/');
}

/** True when `path` is `subtree` or lies beneath it. */
export function liesWithin(path: string, subtree: string): boolean {
  const inner = plainPath(path);
  const outer = plainPath(subtree);
  return outer === '' || inner === outer || inner.startsWith(`${outer}/`);
}
