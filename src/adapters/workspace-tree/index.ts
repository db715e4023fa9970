export { fileSystemTime } from './file-system-time.ts';
export { ScanThreads } from './scan-threads.ts';
export { scanWorkspace } from './scan-workspace.ts';
export { versionOf } from './version-of.ts';
