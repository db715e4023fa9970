// Owns: the text of the vault file. A file is JSON as a whole and a record on each line, so that damage stays in the line
// where it is and is named by it.
import { digestOf, OkaError } from '../../kernel/index.ts';
import type { KeySource, VaultErrorCode, VaultFault } from '../../vault/index.ts';

const FORMAT = 1;

/** The parameters of scrypt; a file that names others is not of this format. */
export const SCRYPT = { N: 131_072, r: 8, p: 1 } as const;

/** What is known of the key without having it. */
export interface KeyHeader {
  readonly id: string;
  readonly source: KeySource;
  /** Of a passphrase. */
  readonly salt?: string;
  /** Something sealed with the key, which tells whether a key is the right one. */
  readonly nonce: string;
  readonly check: string;
}

/** A sealed value. */
export interface SealedRecord {
  readonly id: string;
  readonly version: number;
  readonly at: number;
  readonly nonce: string;
  readonly sealed: string;
}

/** A vault file, read. Lines that are no records any more are kept as they are. */
export interface VaultContent {
  readonly key: KeyHeader;
  readonly records: readonly SealedRecord[];
  readonly damaged: readonly { readonly line: number; readonly text: string }[];
  readonly faults: readonly VaultFault[];
}

/** The file's text. */
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

/** Tells damage from a wrong key; it protects against accidents only, the cipher against everything. */
function sumOf(value: unknown): string {
  return digestOf(JSON.stringify(value)).slice(0, 16);
}

/** Reads a vault file. Throws when nothing can be made of it; damage to records is told in `faults`. */
export function parseVault(bytes: Uint8Array, file: string): VaultContent {
  // As bytes, so that what is not UTF-8 is seen as a difference.
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const key = parseHeader(lines[0] as string, file);
  const records: SealedRecord[] = [];
  const damaged: { line: number; text: string }[] = [];
  const faults: VaultFault[] = [];
  const last = lines.length - 2;
  if (lines.at(-1) !== '' || lines[last] !== ']}' || last < 1)
    faults.push({ where: `${file} line ${lines.length}`, what: 'the file does not end as it was written' });
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
    faults.push({ where: file, what: 'the marks between its records are not as they were written' });
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
    throw new OkaError(code, `${file} was written by a newer version of Oka; use that one.`, {
      data: { file },
    });
  }
  const { key } = parsed;
  if (typeof key !== 'object' || key === null || !isKeyHeader(key) || headerLine(key) !== text)
    throw unusable(file);
  return key;
}

const HEX = /^[0-9a-f]{24,64}$/;

/** The id becomes a part of a path, so it may be nothing but digits. */
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
    `the first line of ${file}, which tells about the vault's key, is damaged. Restore the file from a backup; without one, remove it, revoke what was in it and add it anew.`,
    { data: { file, line: 1 }, cause },
  );
}
