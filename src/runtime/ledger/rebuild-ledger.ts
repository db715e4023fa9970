import { rebuildDatabase, requireExclusive } from '../../adapters/sqlite/index.ts';
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
  await requireExclusive(folder.database);
  const file = `${folder.database}.rebuilt`;
  folder.discard(file);
  try {
    const records = counting(mirrorRecords(folder), (done) => onProgress?.(done, 0));
    const { stored, incomplete, brokenAfter } = rebuildDatabase({
      file,
      records,
      projections: PROJECTIONS,
      now,
    });
    if (brokenAfter !== undefined)
      throw unusable(folder, `the line after event ${brokenAfter.seq} does not continue the chain`);
    const kept = folder.replaceDatabase(file, `before-rebuild-${now()}`);
    return { from: 'mirror', events: stored, dropped: incomplete, ...(kept === undefined ? {} : { kept }) };
  } finally {
    folder.discard(file);
  }
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
