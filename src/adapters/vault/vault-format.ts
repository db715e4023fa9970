// Owns: the format of the vault file. It is JSON as a whole with one record per line, so that damage is limited to a line.
import { digestOf, OkaError } from '../../kernel/index.ts';
import type { KeySource, VaultErrorCode, VaultFault } from '../../vault/index.ts';

const FORMAT = 1;

/** The scrypt parameters of this format. */
export const SCRYPT = { N: 131_072, r: 8, p: 1 } as const;

/** The public part of a key. */
export interface KeyHeader {
  readonly id: string;
  readonly source: KeySource;
  /** For a passphrase. */
  readonly salt?: string;
  /** An empty value sealed with the key, to recognize the right key. */
  readonly nonce: string;
  readonly check: string;
}

export interface SealedRecord {
  readonly id: string;
  readonly version: number;
  readonly at: number;
  readonly nonce: string;
  readonly sealed: string;
}

/** A parsed vault file. Damaged lines are preserved. */
export interface VaultContent {
  readonly key: KeyHeader;
  readonly records: readonly SealedRecord[];
  readonly damaged: readonly { readonly line: number; readonly text: string }[];
  readonly faults: readonly VaultFault[];
}

export function formatVault(vault: Pick<VaultContent, 'key' | 'records' | 'damaged'>): string {
  const lines = [...vault.records.map(recordLine), ...vault.damaged.map(({ text }) => text)];
  return `${headerLine(vault.key)}\n${lines.map((line, i) => line + comma(i, lines.length)).join('')}]}\n`;
}

function comma(i: number, count: number): string {
  return i === count - 1 ? '\n' : ',\n';
}

function headerLine(key: KeyHeader): string {
  const { id, source, salt, nonce, check } = key;
  const scrypt = salt === undefined ? {} : { salt, scrypt: SCRYPT };
  const header = { format: FORMAT, key: { id, source, ...scrypt, nonce, check } };
  const text = JSON.stringify({ ...header, sum: sumOf(header) });
  return `${text.slice(0, -1)},"records":[`;
}

function recordLine(record: SealedRecord): string {
  const { id, version, at, nonce, sealed } = record;
  const plain = { id, version, at, nonce, sealed };
  return JSON.stringify({ ...plain, sum: sumOf(plain) });
}

/** Detects accidental damage; the cipher protects against everything else. */
function sumOf(value: unknown): string {
  return digestOf(JSON.stringify(value)).slice(0, 16);
}

/** Parses a vault file. Throws if the header is unusable; damaged records are listed in `faults`. */
export function parseVault(bytes: Uint8Array, file: string): VaultContent {
  // Read as bytes, so that invalid UTF-8 counts as a difference.
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const key = parseHeader(lines[0] as string, file);
  const records: SealedRecord[] = [];
  const damaged: { line: number; text: string }[] = [];
  const faults: VaultFault[] = [];
  const last = lines.length - 2;
  if (lines.at(-1) !== '' || lines[last] !== ']}' || last < 1)
    faults.push({ where: `${file} line ${lines.length}`, what: 'the end of the file is damaged' });
  lines.slice(1).forEach((text, i) => {
    const line = i + 2;
    if (text === '' || text === ']}') return;
    const bare = text.endsWith(',') ? text.slice(0, -1) : text;
    const record = parseRecord(bare);
    if (record !== undefined) records.push(record);
    else {
      damaged.push({ line, text: bare });
      faults.push({ where: `${file} line ${line}`, what: `${nameIn(bare)} is damaged` });
    }
  });
  if (faults.length === 0 && formatVault({ key, records, damaged }) !== lines.join('\n'))
    faults.push({ where: file, what: 'the separators between records are damaged' });
  return { key, records, damaged, faults };
}

function nameIn(text: string): string {
  const id = /^\{"id":"([0-9a-z]{26})"/.exec(text)?.[1];
  return id === undefined ? 'a record' : `the record ${id}`;
}

function parseHeader(text: string, file: string): KeyHeader {
  let parsed: { format?: unknown; key?: KeyHeader };
  try {
    parsed = JSON.parse(`${text}]}`) as typeof parsed;
  } catch (cause) {
    throw unusable(file, cause);
  }
  if (typeof parsed.format === 'number' && parsed.format > FORMAT && Number.isInteger(parsed.format)) {
    const code: VaultErrorCode = 'vault.newer_format';
    throw new OkaError(code, `${file} was written by a newer version of Oka. Update Oka.`, {
      data: { file },
    });
  }
  const { key } = parsed;
  if (typeof key !== 'object' || key === null || !isKeyHeader(key) || headerLine(key) !== text)
    throw unusable(file);
  return key;
}

const HEX = /^[0-9a-f]{24,64}$/;

/** The id becomes part of a path, so only hex digits are allowed. */
function isKeyHeader(key: Partial<Record<keyof KeyHeader, unknown>>): boolean {
  const texts = [key.id, key.nonce, key.check].every((value) => typeof value === 'string' && HEX.test(value));
  if (key.source === 'passphrase') return texts && typeof key.salt === 'string' && HEX.test(key.salt);
  return texts && key.salt === undefined && (key.source === 'keyring' || key.source === 'file');
}

function parseRecord(text: string): SealedRecord | undefined {
  let record: SealedRecord;
  try {
    record = JSON.parse(text) as SealedRecord;
  } catch {
    return undefined;
  }
  if (record === null || typeof record !== 'object') return undefined;
  const { id, version, nonce, sealed } = record;
  const texts = [id, nonce, sealed].every((value) => typeof value === 'string');
  return texts && Number.isSafeInteger(version) && recordLine(record) === text ? record : undefined;
}

function unusable(file: string, cause?: unknown): OkaError<VaultErrorCode> {
  return new OkaError(
    'vault.damaged',
    `The first line of ${file}, which describes the vault's key, is damaged. Restore the file from a backup. Without one, remove it, revoke its credentials and add them again.`,
    { data: { file, line: 1 }, cause },
  );
}
