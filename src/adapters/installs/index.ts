export { toolEnvironment, toolFolders } from './tool-folders.ts';
export type { InstallSources } from './types.ts';
export { WorkspaceInstaller } from './workspace-installer.ts';
