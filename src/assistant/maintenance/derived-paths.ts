/** The page of open work, in the workspace folder. It exists whenever any derived file does. */
export const TODOS = 'brain/TODOS.md';

/** Whether a path can hold a derived file. Maintenance changes no other files. */
export function isDerivedPath(path: string): boolean {
  return path === TODOS || /^(?:brain\/LEARNINGS-[a-z0-9-]+\.md|memory\/\d{4}-\d{2}-\d{2}\.md)$/.test(path);
}
