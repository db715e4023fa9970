export { fileSystemTime } from './file-stamps.ts';
export { scanWorkspace, versionOf } from './scan-workspace.ts';
