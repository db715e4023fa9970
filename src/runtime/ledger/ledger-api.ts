import { SignedHeads } from '../../adapters/workspace/index.ts';
import type {
  GcAnswer,
  GcRequest,
  LedgerStatsAnswer,
  OkaApi,
  RebuildAnswer,
  RepairAnswer,
  RepairRequest,
  VerifyAnswer,
  VerifyRequest,
} from '../../api/index.ts';
import { OkaError } from '../../kernel/index.ts';
import { archivedLine, mirrorLine } from '../../ledger/index.ts';
import type { OpenWorkspace } from '../services/open-workspace.ts';

const artifactStore = () => import('../services/open-artifacts.ts');

/** The ledger of one workspace. */
export function ledgerApi(services: OpenWorkspace): OkaApi['ledger'] {
  return {
    tail: async function* (options) {
      const { tailLedger } = await import('./tail-ledger.ts');
      yield* tailLedger(services.ledger(), services.clock, options);
    },
    verify: (request) => verify(services, request),
    repair: (request) => repair(services, request),
    rebuild: (from, onProgress) => rebuild(services, from, onProgress),
    export: async function* () {
      for (const record of services.ledger().archive.records())
        yield 'event' in record ? mirrorLine(record.event) : archivedLine(record.archived);
    },
    stats: () => stats(services),
    gc: (request) => collect(services, request),
  };
}

async function verifyParts({ requireWorkspace, clock, home }: OpenWorkspace) {
  const folder = requireWorkspace();
  const { openArtifacts } = await artifactStore();
  const { vaultFaults } = await import('../vault/vault.ts');
  return {
    folder,
    clock,
    heads: new SignedHeads({ home, folder, clock }),
    artifacts: openArtifacts({ folder, clock }),
    vaultFaults: (database: Parameters<typeof vaultFaults>[1]) =>
      vaultFaults({ directory: folder.directory, home }, database),
  };
}

async function verify(services: OpenWorkspace, request: VerifyRequest): Promise<VerifyAnswer> {
  const { verifyLedger } = await import('./verify-ledger.ts');
  return verifyLedger(await verifyParts(services), request);
}

async function repair(services: OpenWorkspace, request: RepairRequest): Promise<RepairAnswer> {
  services.requireTrust();
  const { repairLedger } = await import('./repair-ledger.ts');
  const { repairableVault } = await import('../vault/vault.ts');
  const parts = await verifyParts(services);
  await services.close();
  const { home, clock, ids, redactor } = services;
  const { directory } = services.folder;
  return repairLedger(
    {
      ...parts,
      open: services.openForWriting,
      vault: (ledger) => repairableVault({ directory, home, clock, ids, redactor }, ledger),
      readBackup: async (file, path) =>
        (await import('../../adapters/backup/index.ts')).readBackupEntry(file, path),
      verify: () => verify(services, { full: true }),
      acceptHead: async () => {
        const ledger = services.ledger();
        const head = ledger.archive.head();
        await ledger.store.makeDurable();
        parts.heads.sign(head, { always: true });
        return head.seq;
      },
    },
    request,
  );
}

async function rebuild(
  services: OpenWorkspace,
  from?: 'table' | 'mirror',
  onProgress?: (done: number, total: number) => void,
): Promise<RebuildAnswer> {
  const folder = services.requireWorkspace();
  const { database, mirror } = folder.sizes();
  if ((from ?? (database === 0 && mirror > 0 ? 'mirror' : 'table')) === 'mirror') {
    const { rebuildFromMirror } = await import('./rebuild-ledger.ts');
    await services.close();
    return rebuildFromMirror(folder, () => services.clock.now(), onProgress);
  }
  const { archive } = await services.openForWriting();
  archive.rebuildTables(onProgress);
  return { from: 'table', events: archive.statistics().events, dropped: 0 };
}

async function stats({ ledger, folder, clock }: OpenWorkspace): Promise<LedgerStatsAnswer> {
  const statistics = ledger().archive.statistics();
  const { openArtifacts } = await artifactStore();
  const artifacts = await openArtifacts({ folder, clock }).list();
  const artifactBytes = artifacts.reduce((sum, artifact) => sum + artifact.bytes, 0);
  return { ...statistics, mirrorBytes: folder.sizes().mirror, artifactBytes };
}

async function collect(services: OpenWorkspace, request: GcRequest): Promise<GcAnswer> {
  services.requireTrust();
  const ledger = await services.openForWriting();
  const { folder, clock } = services;
  if (!request.dryRun) folder.discardBackups();
  const { collectGarbage } = await import('../maintenance/collect-garbage.ts');
  const { whileMaintaining } = await import('../maintenance/maintenance-lease.ts');
  const { openArtifacts } = await artifactStore();
  const artifacts = openArtifacts({ folder, clock });
  const work = () => collectGarbage(request, { ledger, artifacts, folder, now: clock.now() });
  const answer = request.dryRun ? await work() : await whileMaintaining(ledger, services, work);
  if (answer !== 'busy') return answer;
  throw new OkaError('ledger.busy', 'Maintenance is running in this workspace. Try again when it is done.', {
    transient: true,
  });
}
