import { SignedHeads, type WorkspaceFolder } from '../../adapters/workspace/index.ts';
import { headsFolder, ledgerLocation } from '../../config/index.ts';
import type { Clock } from '../../kernel/index.ts';
import { serverKey } from './postgres-ledger.ts';

/** The signed heads of the ledger that a workspace uses, in it or on a server. */
export function openHeads({
  home,
  folder,
  clock,
}: {
  readonly home: string;
  readonly folder: WorkspaceFolder;
  readonly clock: Clock;
}): SignedHeads {
  const { workspace } = folder;
  const location = ledgerLocation({ home, workspace, id: folder.exists ? folder.identity().id : undefined });
  const server = location && serverKey(location);
  return new SignedHeads({ home, folder, clock, server, secondFolder: headsFolder(home) });
}
