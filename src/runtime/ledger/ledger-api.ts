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
import { signHead } from './head-signing.ts';
import { openHeads } from './open-heads.ts';
import type { SharedStores } from './open-ledger.ts';

const artifactStore = () => import('./open-artifacts.ts');

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
      const ledger = services.ledger();
      await ledger.refresh();
      for (const record of ledger.archive.records())
        yield 'event' in record ? mirrorLine(record.event) : archivedLine(record.archived);
    },
    stats: () => stats(services),
    gc: (request) => collect(services, request),
    copy: async (request) => {
      const { copyLedger } = await import('./copy-ledger.ts');
      await services.close();
      return copyLedger(services, request);
    },
  };
}

async function verifyParts({ requireWorkspace, clock, home }: OpenWorkspace) {
  const folder = requireWorkspace();
  const { openArtifacts } = await artifactStore();
  const { vaultFaults } = await import('../vault/vault.ts');
  return {
    folder,
    clock,
    heads: openHeads({ home, folder, clock }),
    // A damaged database may not even be opened.
    artifacts: openArtifacts({ folder, clock }, {}),
    vaultFaults: (tables: Parameters<typeof vaultFaults>[1]) =>
      vaultFaults({ directory: folder.directory, home }, tables),
  };
}

async function verify(services: OpenWorkspace, request: VerifyRequest): Promise<VerifyAnswer> {
  const parts = await verifyParts(services);
  if (services.isOnServer()) {
    const { verifyServer } = await import('./verify-server.ts');
    return verifyServer(services.ledger().shared as SharedStores, parts, request);
  }
  const { verifyLedger } = await import('./verify-ledger.ts');
  return verifyLedger(parts, request);
}

async function repair(services: OpenWorkspace, request: RepairRequest): Promise<RepairAnswer> {
  services.requireTrust();
  const { repairLedger } = await import('./repair-ledger.ts');
  const { repairEvents } = await import('./repair-events.ts');
  const { repairServer } = await import('./repair-server.ts');
  const { repairableVault } = await import('../vault/vault.ts');
  const parts = await verifyParts(services);
  await services.close();
  const { home, clock, ids, redactor } = services;
  const { directory } = services.folder;
  return repairLedger(
    {
      ...parts,
      repairEvents: (about) =>
        services.isOnServer() ? repairServer(services.ledger(), parts.heads) : repairEvents(parts, about),
      ...(services.isOnServer() ? { artifacts: (services.ledger().shared as SharedStores).artifacts } : {}),
      open: services.openForWriting,
      vault: (ledger) => repairableVault({ directory, home, clock, ids, redactor }, ledger),
      readBackup: async (file, path) =>
        (await import('../../adapters/backup/index.ts')).readBackupEntry(file, path),
      verify: () => verify(services, { full: true }),
      acceptHead: async () => {
        const { chain, store, shared } = services.ledger();
        const makeDurable = (): Promise<void> => store.makeDurable();
        const { seq } = await signHead({ heads: parts.heads, ledger: chain, makeDurable }, { always: true });
        const kept = shared?.setCopyAside(`before-repair-${clock.now()}`);
        return {
          repaired: [`Signed this ledger as it is, up to event ${seq}.`],
          kept: kept === undefined ? [] : [kept],
        };
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
  const chosen = from ?? (!services.isOnServer() && database === 0 && mirror > 0 ? 'mirror' : 'table');
  if (chosen === 'mirror' && services.isOnServer()) throw noMirrorOnServer();
  if (chosen === 'mirror') {
    const { rebuildFromMirror } = await import('./rebuild-ledger.ts');
    await services.close();
    return rebuildFromMirror(folder, () => services.clock.now(), onProgress);
  }
  const { archive } = await services.openForWriting();
  await archive.rebuildTables(onProgress);
  return { from: 'table', events: (await archive.statistics()).events, dropped: 0 };
}

async function stats({ ledger, folder, clock }: OpenWorkspace): Promise<LedgerStatsAnswer> {
  const statistics = await ledger().archive.statistics();
  const { openArtifacts } = await artifactStore();
  const artifacts = await openArtifacts({ folder, clock }, ledger()).list();
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
  const artifacts = openArtifacts(services, ledger);
  const work = () => collectGarbage(request, { ledger, artifacts, folder, now: clock.now() });
  const answer = request.dryRun ? await work() : await whileMaintaining(ledger, services, work);
  if (answer !== 'busy') return answer;
  throw new OkaError('ledger.busy', 'Maintenance is running in this workspace. Try again when it is done.', {
    transient: true,
  });
}

function noMirrorOnServer(): OkaError {
  return new OkaError(
    'ledger.unavailable',
    'The ledger is on PostgreSQL, which has no mirror to rebuild from. Fold its tables again with oka ledger rebuild, or bring lost events back with oka ledger repair.',
  );
}
