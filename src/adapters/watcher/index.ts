export { PollingWatcher, type TreeWatcher } from './polling-watcher.ts';
export { type FolderWatch, SystemWatcher, watchFolder } from './system-watcher.ts';
