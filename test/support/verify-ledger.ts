import { compareMirror, readLines } from '../../src/adapters/workspace/index.ts';
import type { Fault } from '../../src/ledger/index.ts';
import type { OpenLedger } from '../../src/runtime/index.ts';

/** The faults of an open ledger: of its database, and of its mirror after pending writes. */
export async function verifyLedger(
  ledger: OpenLedger,
): Promise<{ readonly ok: boolean; readonly faults: readonly Fault[]; readonly mirrorEqual: boolean }> {
  ledger.mirror.flush();
  const { faults } = ledger.archive.verify();
  const mirror = compareMirror(readLines(ledger.folder.mirror), ledger.archive.records());
  const all = [...faults, ...mirror.faults];
  const mirrorEqual = mirror.faults.length === 0 && mirror.behind === 0;
  return { ok: all.length === 0 && mirrorEqual, faults: all, mirrorEqual };
}
