// Owns: the order of a repair: events first, then what the ledger names outside the database.
import type { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { RepairAnswer, RepairRequest, VerifyAnswer } from '../../api/index.ts';
import type { ArtifactStore } from '../../engine/index.ts';
import { type Clock, isOkaError } from '../../kernel/index.ts';
import { blobsLost, eventsLost, LedgerEvent, type LostRecords, SYSTEM_STREAM } from '../../ledger/index.ts';
import type { VaultExamination } from '../../vault/index.ts';
import { blobsOf } from '../services/extensions.ts';
import { checkBlobs } from './check-blobs.ts';
import type { OpenLedger } from './open-ledger.ts';
import type { EventsRepair } from './repair-events.ts';

export interface RepairParts {
  readonly folder: WorkspaceFolder;
  readonly clock: Clock;
  /** Makes the events of the ledger sound, or says which choice a person has to make first. */
  readonly repairEvents: (request: RepairRequest) => Promise<EventsRepair>;
  readonly artifacts: ArtifactStore;
  /** Opens the repaired ledger for writing. */
  readonly open: () => Promise<OpenLedger>;
  readonly vault: (ledger: OpenLedger) => RepairableVault;
  /** The content of a path in a backup, if any. */
  readonly readBackup: (file: string, path: string) => Promise<Uint8Array | undefined>;
  readonly verify: () => Promise<VerifyAnswer>;
  /** Signs the head of the ledger as it is. Returns what was done. */
  readonly acceptHead: () => Promise<Pick<RepairAnswer, 'repaired' | 'kept'>>;
}

/** The operations of the vault that a repair needs. */
export interface RepairableVault {
  examine(): Promise<VaultExamination>;
  /** Adds missing records from a copy. False if the copy has another key. */
  restore(copy: Uint8Array): boolean;
  /** Rewrites the file from its sound records. */
  rewrite(): void;
  revoke(name: string, by: string): Promise<unknown>;
}

/** Repairs a workspace from its own copies, a backup and the user's choices. */
export async function repairLedger(parts: RepairParts, request: RepairRequest): Promise<RepairAnswer> {
  const { isDecided, lost, ...events } = await parts.repairEvents(request);
  if (!isDecided) return { ok: false, ...events };
  const repaired = [...events.repaired];
  const opened = await openAccepted(parts, request);
  if ('difference' in opened)
    return {
      ...{ ok: false, repaired, kept: events.kept },
      faults: [{ where: 'signed head', what: opened.difference }],
      next: ['oka backup restore FILE --replace', 'oka ledger repair --accept-head'],
    };
  const { ledger } = opened;
  repaired.push(...opened.accepted.repaired);
  const kept = [...events.kept, ...opened.accepted.kept];
  await ledger.refresh();
  const done = { repaired, kept };
  if (lost !== undefined) await recordLost(ledger, lost, request.by);
  await repairBlobs(parts, request, ledger, done);
  await repairVault(parts, request, ledger, done);
  await ledger.store.sync();
  const { ok, faults } = await parts.verify();
  return { ok, repaired, kept, faults, next: ok ? [] : nextSteps(request) };
}

/** Records what was left out, so that verification reports it as known. */
async function recordLost(
  ledger: OpenLedger,
  { seqs, skipped, bodies }: LostRecords,
  by: string,
): Promise<void> {
  if (bodies.length > 0) await ledger.archive.erase(bodies, by, 'damaged in every copy');
  if (seqs.length === 0) return;
  const appends = [{ stream: SYSTEM_STREAM, events: [eventsLost(seqs, skipped)] }];
  await ledger.events.commit({ actor: by, sync: 'full', appends });
}

/** Opens the ledger. Where it differs from its signed head, the user has to accept that first. */
async function openAccepted(
  { open, acceptHead }: RepairParts,
  request: RepairRequest,
): Promise<
  | { readonly ledger: OpenLedger; readonly accepted: Pick<RepairAnswer, 'repaired' | 'kept'> }
  | { readonly difference: string }
> {
  try {
    return { ledger: await open(), accepted: { repaired: [], kept: [] } };
  } catch (error) {
    if (!isOkaError(error, 'ledger.older_than_signed') && !isOkaError(error, 'ledger.rewritten')) throw error;
    if (!acceptsHead(request)) return { difference: error.message };
    const accepted = await acceptHead();
    return { ledger: await open(), accepted };
  }
}

/** A person who chooses a copy or accepts a loss accepts the head that follows from it. */
function acceptsHead({ acceptHead, keep, acceptLoss }: RepairRequest): boolean {
  return (acceptHead ?? false) || keep !== undefined || acceptLoss;
}

function nextSteps({ backup, acceptLoss }: RepairRequest): readonly string[] {
  if (acceptLoss) return [];
  return [
    ...(backup === undefined ? ['oka ledger repair --backup FILE'] : []),
    'oka ledger repair --accept-loss',
  ];
}

interface Done {
  readonly repaired: string[];
  readonly kept: string[];
}

async function repairBlobs(
  { artifacts, folder, readBackup }: RepairParts,
  { backup, acceptLoss, by }: RepairRequest,
  ledger: OpenLedger,
  { repaired, kept }: Done,
): Promise<void> {
  const needed = new Set<string>();
  for (const record of ledger.archive.records())
    if ('event' in record) for (const digest of blobsOf(new LedgerEvent(record.event))) needed.add(digest);
  const stored = (await artifacts.list()).map(({ digest }) => digest);
  const lost: string[] = [];
  for (const { digest } of await checkBlobs(artifacts, new Set([...needed, ...stored]))) {
    const content =
      backup === undefined
        ? undefined
        : await readBackup(backup, `objects/${digest.slice(0, 2)}/${digest.slice(2)}`);
    if (content !== undefined) {
      await artifacts.put(content, { mediaType: 'application/octet-stream' });
      repaired.push(`Restored blob ${digest} from the backup.`);
    } else if (acceptLoss || !needed.has(digest)) {
      const aside = folder.moveBlobAside(digest);
      if (aside !== undefined) kept.push(aside);
      if (needed.has(digest)) lost.push(digest);
      else repaired.push(`Moved blob ${digest} away; it is damaged and no event needs it.`);
    }
  }
  const known = ledger.archive.lostBlobs();
  const unrecorded = lost.filter((digest) => !known.has(digest));
  if (unrecorded.length === 0) return;
  await ledger.events.commit({
    actor: by,
    sync: 'full',
    appends: [{ stream: SYSTEM_STREAM, events: [blobsLost(unrecorded, 'repair')] }],
  });
  for (const digest of unrecorded) repaired.push(`Recorded blob ${digest} as lost.`);
}

async function repairVault(
  { folder, clock, vault: open, readBackup }: RepairParts,
  { backup, acceptLoss, by }: RepairRequest,
  ledger: OpenLedger,
  { repaired, kept }: Done,
): Promise<void> {
  const vault = open(ledger);
  if ((await vault.examine()).faults.length === 0) return;
  const copy = backup === undefined ? undefined : await readBackup(backup, 'vault');
  const suffix = `before-repair-${clock.now()}`;
  const before = copy !== undefined || acceptLoss ? folder.backUpVault(suffix) : undefined;
  if (before !== undefined) kept.push(before);
  if (copy !== undefined && vault.restore(copy)) repaired.push('Restored the vault from the backup.');
  const { lost, isKeyLost } = await vault.examine();
  if ((lost.length > 0 || isKeyLost) && !acceptLoss) return;
  if (isKeyLost) {
    folder.removeVault();
    repaired.push('Removed the vault, which nothing can open without its key.');
  } else {
    try {
      vault.rewrite();
    } catch (error) {
      if (!isOkaError(error, 'vault.damaged')) throw error;
      folder.removeVault();
    }
    repaired.push('Wrote the vault again from its sound records.');
  }
  for (const name of lost) {
    await vault.revoke(name, by);
    repaired.push(
      `Revoked the credential ${name}, whose value is lost. Add it again with: oka vault add ${name}.`,
    );
  }
}
