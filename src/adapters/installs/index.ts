export { toolEnvironment, toolFolders } from './tool-folders.ts';
export { WorkspaceInstaller } from './workspace-installer.ts';
