export { EmptyFiles } from './empty-files.ts';
export { FileArtifactStore } from './file-artifact-store.ts';
export { GitTracking } from './git-tracking.ts';
export { OverlayFiles } from './overlay-files.ts';
export { digestOfPlainFile, programChanges, statusChangedAt } from './program-changes.ts';
export { WorkspaceFiles } from './workspace-files.ts';
