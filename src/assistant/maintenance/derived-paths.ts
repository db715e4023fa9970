/** The page of open work, below the folder of the workspace. It is there whenever any derived file is. */
export const TODOS = 'brain/TODOS.md';

/** Which paths can hold a derived file; nothing else in these folders is ever touched. */
export function isDerivedPath(path: string): boolean {
  return path === TODOS || /^(?:brain\/LEARNINGS-[a-z0-9-]+\.md|memory\/\d{4}-\d{2}-\d{2}\.md)$/.test(path);
}
