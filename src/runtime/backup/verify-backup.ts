import { join } from 'node:path';
import {
  type BackupManifest,
  DATABASE,
  discardStaged,
  extractArchive,
  MIRROR,
  stageVerification,
  toBackupError,
  whyLeftOut,
} from '../../adapters/backup/index.ts';
import { NEWEST_SCHEMA } from '../../adapters/sqlite/index.ts';
import type { BackupApi, BackupVerifyAnswer, Fault } from '../../api/index.ts';
import { OkaError } from '../../kernel/index.ts';
import { contentsOf } from './backup-contents.ts';
import { type BackupParts, type CopyReport, verifyCopy } from './verify-copy.ts';

type VerifyRequest = Parameters<BackupApi['verify']>[0];

export interface ExtractedBackup {
  readonly bytes: number;
  readonly manifest?: BackupManifest;
  readonly events: number;
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
}

/** Verifies an archive without a workspace; changes nothing. */
export async function verifyBackup(parts: BackupParts, request: VerifyRequest): Promise<BackupVerifyAnswer> {
  const { file } = request;
  const staged = stageVerification(parts.owners);
  try {
    const { bytes, manifest, ...report } = await extractBackup(parts, request, { staged, only: 'ledger' });
    const contents = manifest === undefined ? {} : { contents: contentsOf(manifest) };
    return { ok: report.faults.length === 0, file, bytes, ...contents, ...report };
  } catch (error) {
    throw toBackupError(error, staged);
  } finally {
    discardStaged(staged);
  }
}

/** Extracts an archive into a temporary workspace and returns every fault of the archive and its ledger. */
export async function extractBackup(
  parts: BackupParts,
  { file, onProgress, signal }: VerifyRequest,
  { staged, only }: { readonly staged: string; readonly only: 'ledger' | 'all' },
): Promise<ExtractedBackup> {
  const { bytes, manifest, faults } = await extractArchive(file, {
    into: join(staged, '.oka'),
    only,
    onBytes: (done, total) => onProgress?.({ phase: 'read', done, total }),
    signal,
  });
  // An incomplete ledger would be reported again event by event.
  const isWhole = !faults.some(({ where }) => ['archive', DATABASE, MIRROR].includes(where));
  if (manifest === undefined || !isWhole)
    return { bytes, ...(manifest === undefined ? {} : { manifest }), events: 0, faults, warnings: [] };
  refuseNewer(file, manifest);
  onProgress?.({ phase: 'verify', done: 0, total: 0 });
  const copy = await verifyCopy(staged, parts, (done, total) =>
    onProgress?.({ phase: 'verify', done, total }),
  );
  const { events, warnings } = copy;
  return {
    bytes,
    manifest,
    events,
    faults: [...faults, ...copy.faults, ...headFaults(manifest, copy)],
    warnings: [...warnings, ...leftOut(manifest)],
  };
}

/** Backups of earlier versions may hold files that are not restored any more. */
function leftOut({ entries }: BackupManifest): readonly Fault[] {
  return entries.flatMap(({ path }) => {
    const why = whyLeftOut(path);
    return why === undefined ? [] : [{ where: `.oka/${path}`, what: `is not restored: ${why}` }];
  });
}

function headFaults({ head }: BackupManifest, copy: CopyReport): readonly Fault[] {
  if (copy.faults.length > 0 || (copy.head.seq === head.seq && copy.head.hash === head.hash)) return [];
  return [
    { where: DATABASE, what: `ends at event ${copy.head.seq}, not at event ${head.seq} of the manifest` },
  ];
}

function refuseNewer(file: string, { schema, oka }: BackupManifest): void {
  if (schema <= NEWEST_SCHEMA) return;
  throw new OkaError(
    'ledger.newer_schema',
    `${file} was written by Oka ${oka} with schema ${schema}; this version knows ${NEWEST_SCHEMA}. Update Oka.`,
    { data: { file, schema, known: NEWEST_SCHEMA } },
  );
}
