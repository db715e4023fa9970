// Owns: verifying a ledger on a server: chain, folded tables, artifacts and vault. Reads only, in one view of the database.
import type { LedgerSnapshot } from '../../adapters/postgres/index.ts';
import { FoldedInMemory } from '../../adapters/sqlite/index.ts';
import type { VerifyAnswer } from '../../api/index.ts';
import { OkaError } from '../../kernel/index.ts';
import {
  type ChainReport,
  ChainVerifier,
  type Fault,
  LedgerEvent,
  type LedgerHead,
  placeOf,
} from '../../ledger/index.ts';
import { blobsOf, PROJECTIONS } from '../services/extensions.ts';
import { checkBlobs, isFaultOf } from './check-blobs.ts';
import { checkHeads } from './check-heads.ts';
import { compareTables } from './compare-tables.ts';
import type { SharedStores } from './open-ledger.ts';
import { withSummary } from './verification-summary.ts';
import { untilCurrent, type VerifyOptions, type VerifyParts } from './verify-ledger.ts';

const BATCH = 2_000;

interface CheckedRecords {
  readonly report: ChainReport;
  readonly faults: readonly Fault[];
  readonly blobs: ReadonlySet<string>;
  readonly lost: ReadonlySet<string>;
}

type ServerParts = Pick<VerifyParts, 'heads' | 'vaultFaults'>;

export async function verifyServer(
  shared: SharedStores,
  parts: ServerParts,
  options: VerifyOptions,
): Promise<VerifyAnswer> {
  const head = (): Promise<LedgerHead> => shared.snapshot(async (view) => view.head());
  const { answer } = await untilCurrent(async () => {
    const start = await head();
    const answer = await verifyOnce(shared, parts, options);
    return { answer, isCurrent: async () => (await head()).hash === start.hash };
  });
  return answer;
}

async function verifyOnce(
  shared: SharedStores,
  { heads, vaultFaults }: ServerParts,
  options: VerifyOptions,
): Promise<VerifyAnswer> {
  // Read before the view: every event that a head covers is in the view.
  const known = heads.known(await shared.snapshot((view) => view.chainAt(1)));
  const checked = await shared.snapshot(async (view) => {
    const records = await checkRecords(view, options);
    const signed = await checkHeads(known, heads, view);
    return {
      ...{ ...records, signed },
      faults: [...records.faults, ...signed.faults, ...(await vaultFaults(view.tables))],
    };
  });
  const { report, lost, signed } = checked;
  const needed = new Set([...checked.blobs, ...(await shared.artifacts.list()).map(({ digest }) => digest)]);
  const damaged = (await checkBlobs(shared.artifacts, needed)).filter(isFaultOf(checked.blobs));
  const faults = [...checked.faults, ...damaged.filter(({ digest }) => !lost.has(digest))];
  return withSummary({
    ok: faults.length === 0,
    full: true,
    ...{ events: report.events, archived: report.archived, streams: report.streams, head: report.head },
    server: shared.server,
    blobs: needed.size,
    faults: faults.map(({ where, what }) => ({ where, what })),
    ...(signed.signed === undefined ? {} : { signed: signed.signed }),
    notes: [...signed.notes],
    ...(faults.length === 0
      ? {}
      : {
          repair:
            signed.faults.length > 0
              ? 'oka ledger repair'
              : 'oka ledger rebuild, or restore a backup of the server',
        }),
  });
}

async function checkRecords(view: LedgerSnapshot, options: VerifyOptions): Promise<CheckedRecords> {
  const { seq: total } = await view.head();
  const verifier = new ChainVerifier();
  const folded = new FoldedInMemory(PROJECTIONS);
  const [blobs, lost] = [new Set<string>(), new Set<string>()];
  try {
    for (let seq = 0; ; ) {
      const records = await view.recordsAfter(seq, BATCH);
      for (const record of records) {
        verifier.add(record);
        seq = placeOf(record).seq;
        if (!('event' in record)) continue;
        const event = new LedgerEvent(record.event);
        folded.apply(event);
        for (const digest of blobsOf(event)) blobs.add(digest);
        if (event.type === 'blobs.lost')
          for (const digest of event.data['digests'] as string[]) lost.add(digest);
      }
      if (options.signal?.aborted)
        throw new OkaError('engine.cancelled', 'The verification was cancelled. It changed nothing.');
      options.onProgress?.({ phase: 'events', done: seq, total });
      if (records.length < BATCH) break;
    }
    const report = verifier.report();
    const faults = [...report.faults, ...(await compareTables(view.tables, folded))];
    return { report, faults, blobs, lost };
  } finally {
    folded.close();
  }
}
