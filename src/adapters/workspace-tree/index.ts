export { fileSystemTime } from './file-stamps.ts';
export { GONE, scanWorkspace, versionOf } from './scan-workspace.ts';
