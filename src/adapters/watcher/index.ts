export { PollingWatcher, type TreeChange, type TreeWatcher } from './polling-watcher.ts';
