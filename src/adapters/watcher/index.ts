export { type FolderWatch, watchFolder } from './folder-watch.ts';
export { SystemWatcher } from './system-watcher.ts';
export { PollingWatcher, type TreeChange, type TreeWatcher } from './polling-watcher.ts';
