export { type GraphFile, GraphFiles } from './graph-files.ts';
export { Mirror } from './mirror.ts';
export { readLines } from './read-lines.ts';
export { UserFolder } from './user-folder.ts';
export { WorkspaceFolder } from './workspace-folder.ts';
