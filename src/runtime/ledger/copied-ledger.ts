// Owns: reading what this machine knows of a ledger on a server that is away.
import {
  SqlGraphStateStore,
  SqlIdFinder,
  SqlLeases,
  SqlRunStore,
  SqlScheduleStore,
  SqlSimulationStore,
} from '../../adapters/sql/index.ts';
import { LedgerCopy, SqliteTables } from '../../adapters/sqlite/index.ts';
import type { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import { OkaError } from '../../kernel/index.ts';
import { PROJECTIONS } from '../services/extensions.ts';
import type { LedgerPorts, OpenLedger } from './open-ledger.ts';
import { copyFolder, NO_MIRROR, type ServerLocation } from './postgres-ledger.ts';

/** The copy of a ledger, for reading. Throws if this machine has none. `away` says why the ledger itself is not read. */
export function openCopiedLedger(
  folder: WorkspaceFolder,
  { clock, random, owners }: LedgerPorts,
  location: ServerLocation,
  away: string,
): OpenLedger {
  const copy = new LedgerCopy(copyFolder(location), { clock, random, projections: PROJECTIONS });
  const refusal = new OkaError('ledger.unavailable', away, { transient: true });
  const { followedAt } = copy;
  if (followedAt === undefined) throw refusal;
  const { database, store, archive } = copy.open();
  const tables = new SqliteTables(database, copy.file);
  const refuse = (): Promise<never> => Promise.reject(refusal);
  return {
    folder,
    database,
    databaseFile: copy.file,
    tables,
    store,
    events: store,
    runs: new SqlRunStore(tables),
    simulations: new SqlSimulationStore(tables),
    finder: new SqlIdFinder(tables),
    graphState: new SqlGraphStateStore(tables),
    schedules: new SqlScheduleStore(tables),
    leases: new SqlLeases(tables, clock, (owner) => owners.isAlive(owner)),
    archive,
    chain: archive,
    mirror: NO_MIRROR,
    reading: {
      mode: 'read_only',
      incomplete: `${away} This is what was known ${ageOf(clock.now() - followedAt)} ago.`,
    },
    isWritable: false,
    refresh: async () => undefined,
    startWriting: refuse,
    settleErasure: refuse,
    stopWaiting: () => undefined,
    close: async () => copy.close(),
  };
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Such as "5 minutes". */
function ageOf(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= 2 * size) ?? ['second', 1_000];
  const amount = Math.max(1, Math.floor(ms / size));
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
