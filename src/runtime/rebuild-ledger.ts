import { rebuildFromMirror } from '../adapters/sqlite/index.ts';
import { readLines, type WorkspaceFolder } from '../adapters/workspace/index.ts';
import type { RebuildAnswer } from '../api/index.ts';
import { OkaError } from '../kernel/index.ts';
import { type MirrorRecord, parseMirrorLine } from '../ledger/index.ts';
import { PROJECTIONS } from './extensions.ts';

/** Makes the database anew from `run_ledger.jsonl`; the one that stood there is kept aside. */
export function rebuildDatabase(folder: WorkspaceFolder, now: () => number): RebuildAnswer {
  const rebuilt = `${folder.database}.rebuilt`;
  folder.discard(rebuilt);
  try {
    const { events, dropped } = rebuildFromMirror({
      file: rebuilt,
      records: mirrorRecords(folder),
      projections: PROJECTIONS,
      now,
    });
    const kept = folder.replaceDatabase(rebuilt, `before-rebuild-${now()}`);
    return { from: 'mirror', events, dropped, ...(kept === undefined ? {} : { kept }) };
  } finally {
    folder.discard(rebuilt);
  }
}

/** The mirror's records; a torn last line is left out, a damaged one is named. */
function* mirrorRecords(folder: WorkspaceFolder): Generator<MirrorRecord> {
  let number = 0;
  for (const { line, complete } of readLines(folder.mirror)) {
    number += 1;
    if (!complete) return;
    try {
      yield parseMirrorLine(line);
    } catch (cause) {
      throw new OkaError(
        'ledger.damaged',
        `line ${number} of ${folder.mirror} cannot be read, so nothing was rebuilt: ${(cause as Error).message}`,
        {
          data: { line: number },
          cause,
        },
      );
    }
  }
}
