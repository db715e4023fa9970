import { findProgram } from '../adapters/processes/index.ts';
import { NEWEST_SCHEMA, requireSafeSqlite, sqliteVersion } from '../adapters/sqlite/index.ts';
import type { WorkspaceFolder } from '../adapters/workspace/index.ts';
import type { DoctorAnswer } from '../api/index.ts';
import type { Engine } from '../engine/index.ts';
import type { OpenLedger } from './open-ledger.ts';

const LITTLE_DISK = 200 * 1024 * 1024;
type Check = DoctorAnswer['checks'][number];

/** Looks at everything that Oka stands on and says what is not as it should be. */
export async function examineMachine(parts: {
  readonly version: string;
  readonly folder: WorkspaceFolder;
  readonly trusted: boolean;
  readonly ledger: OpenLedger;
  readonly engine: Engine | undefined;
}): Promise<DoctorAnswer> {
  const { folder, ledger, engine, trusted } = parts;
  const { freeBytes } = folder.disk();
  const { faults } = ledger.archive.verify();
  const bubblewrap = findProgram('bwrap');
  const checks: Check[] = [
    { name: 'oka', ok: true, detail: `version ${parts.version}` },
    { name: 'node', ok: true, detail: process.version },
    sqliteCheck(sqliteVersion(ledger.database)),
    { name: 'schema', ok: true, detail: `version ${NEWEST_SCHEMA}` },
    {
      name: 'workspace',
      ok: trusted,
      detail: trusted
        ? `${folder.workspace}, trusted`
        : `${folder.workspace} is not trusted; run: oka init --trust`,
    },
    {
      name: 'ledger',
      ok: faults.length === 0,
      detail: faults.length === 0 ? 'verifies' : `${faults.length} faults; run: oka ledger verify`,
    },
    { name: 'disk', ok: freeBytes > LITTLE_DISK, detail: `${Math.round(freeBytes / 1024 / 1024)} MB free` },
    {
      name: 'sandbox',
      ok: true,
      detail:
        bubblewrap === undefined
          ? 'bubblewrap is not installed; no tool here starts processes yet, so nothing needs it'
          : `bubblewrap at ${bubblewrap}`,
    },
    { name: 'daemon', ok: true, detail: 'none runs; commands work in this process' },
  ];
  return { ok: checks.every((check) => check.ok), checks, middleware: engine?.middlewareOrder ?? [] };
}

function sqliteCheck(version: string): Check {
  try {
    requireSafeSqlite(version);
    return { name: 'sqlite', ok: true, detail: version };
  } catch (error) {
    return { name: 'sqlite', ok: false, detail: (error as Error).message };
  }
}
