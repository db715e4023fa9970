export { type FolderWatch, watchFolder } from './folder-watch.ts';
export { PollingWatcher, type TreeChange, type TreeWatcher } from './polling-watcher.ts';
export { SystemWatcher } from './system-watcher.ts';
