export { type FolderWatch, watchFolder } from './folder-watch.ts';
export { NoticingWatcher } from './noticing-watcher.ts';
export { PollingWatcher, type TreeWatcher } from './polling-watcher.ts';
