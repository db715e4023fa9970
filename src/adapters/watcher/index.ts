export { type FolderWatch, watchFolder } from './folder-watch.ts';
export { PollingWatcher, type TreeWatcher } from './polling-watcher.ts';
export { SystemWatcher } from './system-watcher.ts';
