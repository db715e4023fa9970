export { EmptyFiles } from './empty-files.ts';
export { FileArtifactStore } from './file-artifact-store.ts';
export { OverlayFiles } from './overlay-files.ts';
export { WorkspaceFiles } from './workspace-files.ts';
