import { foreignRecords, rebuildDatabase, requireExclusive } from '../../adapters/sqlite/index.ts';
import { readLines, type WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { RebuildAnswer } from '../../api/index.ts';
import { counting, OkaError } from '../../kernel/index.ts';
import { type LedgerErrorCode, type MirrorRecord, parseMirrorLine } from '../../ledger/index.ts';
import { PROJECTIONS } from '../services/extensions.ts';

/** Makes the database again from `run_ledger.jsonl` alone. The old one is kept under another name. */
export async function rebuildFromMirror(
  folder: WorkspaceFolder,
  now: () => number,
  onProgress?: (done: number, total: number) => void,
): Promise<RebuildAnswer> {
  const records = counting(mirrorRecords(folder), (done) => onProgress?.(done, 0));
  const { stored, incomplete, kept } = await remake(folder, records, now, (seq) =>
    unusable(folder, `the line after event ${seq} does not continue the chain`),
  );
  return { from: 'mirror', events: stored, dropped: incomplete, ...(kept === undefined ? {} : { kept }) };
}

/**
 * Makes the database of a folder that came from elsewhere again from its events alone, so that nothing else in it has an effect:
 * no trigger, no view, no cached output, no table that differs from what the events say.
 */
export async function remakeForeign(folder: WorkspaceFolder, now: () => number): Promise<void> {
  if (folder.sizes().database === 0) return;
  const { kept } = await remake(folder, foreignRecords(folder.database), now, (seq) =>
    brokenChain(folder, seq),
  );
  if (kept !== undefined) folder.discard(kept);
}

/** Makes the database again from these records. Keeps the old one under another name. */
async function remake(
  folder: WorkspaceFolder,
  records: Iterable<MirrorRecord>,
  now: () => number,
  broken: (seq: number) => OkaError,
): Promise<{ readonly stored: number; readonly incomplete: number; readonly kept?: string | undefined }> {
  await requireExclusive(folder.database);
  const file = `${folder.database}.rebuilt`;
  folder.discard(file);
  try {
    const { stored, incomplete, brokenAfter } = rebuildDatabase({
      file,
      records,
      projections: PROJECTIONS,
      now,
    });
    if (brokenAfter !== undefined) throw broken(brokenAfter.seq);
    return { stored, incomplete, kept: folder.replaceDatabase(file, `before-rebuild-${now()}`) };
  } finally {
    folder.discard(file);
  }
}

function brokenChain({ database }: WorkspaceFolder, seq: number): OkaError {
  return new OkaError<LedgerErrorCode>(
    'ledger.damaged',
    `${database} cannot be adopted: event ${seq + 1} does not continue the chain. Nothing was changed. Leave it out: trust the folder without --adopt-ledger.`,
    { data: { database, seq } },
  );
}

/** The mirror's records. An unfinished last line is left out, a damaged one is named. */
function* mirrorRecords(folder: WorkspaceFolder): Generator<MirrorRecord> {
  let number = 0;
  for (const { line, complete } of readLines(folder.mirror)) {
    number += 1;
    if (!complete) return;
    try {
      yield parseMirrorLine(line);
    } catch (cause) {
      throw unusable(folder, `line ${number} cannot be read`, cause);
    }
  }
}

function unusable({ mirror }: WorkspaceFolder, why: string, cause?: unknown): OkaError {
  return new OkaError<LedgerErrorCode>(
    'ledger.damaged',
    `${mirror} is damaged: ${why}. Nothing was rebuilt. To use what the database and the mirror have together: oka ledger repair.`,
    { data: { mirror }, cause },
  );
}
