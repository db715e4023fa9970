export { readJsonFile } from './json-file.ts';
export { Mirror, type MirrorOptions, type MirrorSource } from './mirror.ts';
export { readLines } from './read-lines.ts';
export { UserFolder } from './user-folder.ts';
export { WorkspaceFolder } from './workspace-folder.ts';
