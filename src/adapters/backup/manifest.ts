// Owns: the manifest of a backup archive and the paths that an archive may contain. An archive is untrusted input: nothing in
// it is used before `parseManifest` has accepted it.
import { type Digest, digestOfJson, foldName, isDigest, OkaError, parseJson } from '../../kernel/index.ts';
import type { SignedHead } from '../../ledger/index.ts';
import type { BackupErrorCode } from './backup-error.ts';

/** Incremented when older readers would misread an archive. */
const FORMAT = 1;

export const MANIFEST = 'manifest.json';
export const DATABASE = 'oka.db';
export const MIRROR = 'run_ledger.jsonl';
export const VAULT = 'vault';

/** Files and folders in `.oka` that people write. */
export const PEOPLE_FILES: readonly string[] = ['.gitignore', 'POLICY.md', 'config.json'];
export const PEOPLE_FOLDERS: readonly string[] = ['agents', 'graphs', 'procedures', 'skills'];

const BLOB = /^objects\/[0-9a-f]{2}\/[0-9a-f]{62}$/;

export interface BackupEntry {
  /** Relative to `.oka`, with `/` between folders. */
  readonly path: string;
  readonly bytes: number;
  readonly digest: Digest;
  /** The owner may execute the file. */
  readonly executable?: true;
}

export interface BackupManifest {
  readonly format: number;
  /** The version of Oka that wrote the archive. */
  readonly oka: string;
  /** The schema of the database. */
  readonly schema: number;
  readonly createdAt: number;
  /** The last event of the ledger. */
  readonly head: { readonly seq: number; readonly hash: string };
  readonly entries: readonly BackupEntry[];
  /** The head, signed with the key of the user who made the backup. Absent in backups of earlier versions. */
  readonly signed?: SignedHead;
}

/** The path of a blob in an archive. */
export function blobPath(digest: Digest): string {
  return `objects/${digest.slice(0, 2)}/${digest.slice(2)}`;
}

export function isBlobPath(path: string): boolean {
  return BLOB.test(path);
}

/** The text of the manifest, which ends with a digest over the rest. */
export function formatManifest(manifest: Omit<BackupManifest, 'format'>): Buffer {
  const plain = { format: FORMAT, ...manifest };
  return Buffer.from(`${JSON.stringify({ ...plain, digest: digestOfJson(plain) }, null, 1)}\n`);
}

/** Parses a manifest, or returns its problem. Throws only for an archive of a newer format. */
export function parseManifest(bytes: Uint8Array): BackupManifest | string {
  let parsed: Record<string, unknown>;
  try {
    parsed = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as typeof parsed;
  } catch {
    return 'is not JSON';
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) return 'is not a JSON object';
  const { digest, ...plain } = parsed;
  if (Number.isInteger(plain['format']) && (plain['format'] as number) > FORMAT) throw newerFormat(plain);
  if (!hasDigest(plain, digest)) return 'does not have the digest that it names';
  return isManifest(plain)
    ? (checkEntries(plain.entries) ?? plain)
    : 'does not have the fields of a manifest';
}

function hasDigest(plain: Record<string, unknown>, digest: unknown): boolean {
  try {
    return digestOfJson(plain) === digest;
  } catch {
    // Oka writes only numbers and texts that have a canonical form.
    return false;
  }
}

function newerFormat({ format, oka }: Record<string, unknown>): OkaError<BackupErrorCode> {
  return new OkaError(
    'backup.newer_format',
    `The backup has format ${String(format)}; this version of Oka reads format ${FORMAT}. Update Oka${typeof oka === 'string' ? ` to ${oka} or newer` : ''}.`,
    { data: { format, known: FORMAT } },
  );
}

function isManifest(plain: Record<string, unknown>): plain is Record<string, unknown> & BackupManifest {
  const { format, oka, schema, createdAt, head, entries } = plain as Partial<BackupManifest>;
  return (
    format === FORMAT &&
    typeof oka === 'string' &&
    isCount(schema) &&
    isCount(createdAt) &&
    isCount(head?.seq) &&
    typeof head?.hash === 'string' &&
    Array.isArray(entries) &&
    entries.every(isEntry)
  );
}

function isEntry(entry: unknown): entry is BackupEntry {
  if (entry === null || typeof entry !== 'object') return false;
  const { path, bytes, digest, executable } = entry as Partial<BackupEntry>;
  const isFlagged = executable === undefined || executable === true;
  return typeof path === 'string' && isCount(bytes) && isDigest(digest) && isFlagged;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The problem of the list of entries, if there is one. */
function checkEntries(entries: readonly BackupEntry[]): string | undefined {
  const paths = new Set<string>();
  for (const { path, digest } of entries) {
    if (!mayHold(path)) return `names a path that a backup never holds: ${JSON.stringify(path)}`;
    if (paths.has(path)) return `names ${path} twice`;
    if (isBlobPath(path) && path !== blobPath(digest)) return `gives ${path} another digest than its name`;
    paths.add(path);
  }
  for (const path of paths)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      if (paths.has(path.slice(0, at))) return `names ${path.slice(0, at)} as a file and as a folder`;
  const missing = [DATABASE, MIRROR].find((path) => !paths.has(path));
  return missing === undefined ? undefined : `does not name ${missing}`;
}

/** Only these paths are allowed, so that no entry is written outside `.oka` or over other files of Oka. */
function mayHold(path: string): boolean {
  if ([DATABASE, MIRROR, VAULT, ...PEOPLE_FILES].includes(path) || isBlobPath(path)) return true;
  const [folder, ...rest] = path.split('/');
  return (
    PEOPLE_FOLDERS.includes(folder as string) &&
    rest.length > 0 &&
    rest.every((name) => name !== '' && name !== '.' && name !== '..' && !/[\0\\]/.test(name))
  );
}

/**
 * Why a path below a folder of people is in no backup: git would run what a repository there says, and other programs act on
 * hidden files. A folder is a repository only with a file HEAD, whatever its name is. Undefined for every other path.
 */
export function whyLeftOut(path: string): string | undefined {
  const [folder = '', ...names] = path.split('/').map(foldName);
  if (!PEOPLE_FOLDERS.includes(folder)) return undefined;
  if (names.some((name) => name.startsWith('.') || name === '' || /^git~\d+$/.test(name)))
    return 'a backup holds no hidden files in this folder';
  return names.includes('head') ? 'a backup holds no metadata of a repository' : undefined;
}
