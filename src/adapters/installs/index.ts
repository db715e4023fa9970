export { ownProgram, ownPrograms } from './own-programs.ts';
export { toolEnvironment } from './tool-environment.ts';
export { toolFolders } from './tool-folders.ts';
export { WorkspaceInstaller } from './workspace-installer.ts';
