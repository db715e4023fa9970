import type { VerifyAnswer } from '../api/index.ts';
import type { OpenLedger } from './open-ledger.ts';

/** Proves the ledger: file, chain, folded tables, mirror. With `repair`, mends what can be mended from sound events. */
export async function verifyLedger(
  ledger: OpenLedger,
  options: { readonly repair: boolean },
): Promise<VerifyAnswer> {
  const mended: string[] = [];
  let check = ledger.archive.verify();
  let mirror = ledger.mirror.compare();
  if (options.repair && check.report.faults.length === 0) {
    if (check.faults.some((fault) => fault.where.startsWith('table '))) {
      ledger.archive.rebuildTables();
      mended.push('the folded tables were folded anew from the events');
      check = ledger.archive.verify();
    }
    if (mirror.length > 0) {
      await ledger.mirror.hold();
      ledger.mirror.rewrite();
      mended.push('the mirror was written anew from the events');
      mirror = ledger.mirror.compare();
    }
  }
  const faults = [...check.faults, ...mirror];
  return {
    ok: faults.length === 0,
    events: check.report.events,
    archived: check.report.archived,
    streams: check.report.streams,
    head: check.report.head,
    mirrorEqual: mirror.length === 0,
    faults,
    mended,
  };
}
