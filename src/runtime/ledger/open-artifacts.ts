import { FileArtifactStore } from '../../adapters/files/index.ts';
import type { ArtifactStore } from '../../engine/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import type { OpenLedger } from './open-ledger.ts';

/** The artifacts of a ledger: on its server, or in the folder of the workspace. */
export function openArtifacts(
  { folder, clock }: Pick<WorkspaceServices, 'folder' | 'clock'>,
  ledger: Pick<OpenLedger, 'shared'>,
): ArtifactStore {
  return ledger.shared?.artifacts ?? new FileArtifactStore(folder.objects, clock);
}
