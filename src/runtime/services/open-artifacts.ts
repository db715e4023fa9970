import { FileArtifactStore } from '../../adapters/files/index.ts';
import type { WorkspaceServices } from './workspace-services.ts';

/** The stored artifacts of a workspace. Loaded on use, because listing runs does not need it. */
export function openArtifacts({
  folder,
  clock,
}: Pick<WorkspaceServices, 'folder' | 'clock'>): FileArtifactStore {
  return new FileArtifactStore(folder.objects, clock);
}
