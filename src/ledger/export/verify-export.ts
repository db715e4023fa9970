// Owns: verifying an exported run from its file alone. It runs in browsers, so it uses only what they have.
// I1 Every byte of the data, the readable part and its style is covered by a digest that is recomputed.
// I2 Each event's chain value and body digest follow from its own texts, as in the ledger.
// I3 Streams are whole from their first event to the end that the header names.
import { canonicalJson } from '../../kernel/index.ts';
import { chainedText, EMPTY_STREAM, saltedText } from '../event.ts';
import { parseMirrorLine } from '../mirror-line.ts';
import type { EventRecord, StreamEnd } from '../types.ts';
import type { Fault } from '../verify.ts';
import {
  EXPORT_FORMAT,
  type ExportHeader,
  type ExportProof,
  type ExportSignature,
  pageText,
  signedExportText,
  unescapeMarkup,
} from './export-text.ts';

/** The parts of an exported file. */
export interface ExportParts {
  readonly data: string;
  readonly proof: string;
  readonly style: string;
  /** The readable part. */
  readonly html: string;
}

/** What a browser and Node have alike. */
export interface ExportCrypto {
  sha256(text: string): Promise<string>;
  /** Undefined if Ed25519 is not supported. */
  verifyEd25519(key: string, text: string, signature: string): Promise<boolean | undefined>;
}

export interface ExportReport {
  readonly run: string;
  readonly events: number;
  readonly streams: number;
  /** Events without a body that they once had. */
  readonly withoutBody: number;
  /** The chain value of the last event. */
  readonly end: string;
  readonly signature: 'valid' | 'wrong' | 'none' | 'unsupported';
  readonly signedBy?: ExportSignature;
  readonly faults: readonly Fault[];
}

const LINK = /^\{"seq":(\d+),"chain":"([0-9a-f]{64}|)"\}$/;
/** In the order of canonical JSON. */
const HEADER_KEYS = 'events exportedAt format head page run streams version';
const MAX_FAULTS = 20;

export async function verifyExport(parts: ExportParts, crypto: ExportCrypto): Promise<ExportReport> {
  const [first = '', ...lines] = parts.data.split('\n');
  const faults: Fault[] = [];
  const header = readHeader(first, faults);
  const checked = await verifyEvents(lines, crypto, faults);
  if (header !== undefined) compareWithHeader(header, checked, faults);
  if (header !== undefined && (await crypto.sha256(pageText(parts.style, parts.html))) !== header.page)
    faults.push({ where: 'readable part', what: 'it differs from the one that was exported' });
  const proof = readProof(parts.proof, faults);
  if (proof !== undefined && (await crypto.sha256(parts.data)) !== proof.digest)
    faults.push({ where: 'data', what: 'it differs from the data that was exported' });
  const signedBy = proof?.signature;
  const signature = await checkSignature(proof, header, crypto);
  if (signature === 'wrong')
    faults.push({ where: 'signature', what: 'the key did not sign this run with this data' });
  return {
    run: header?.run ?? '',
    ...{ events: checked.events, streams: checked.ends.size, end: checked.end },
    withoutBody: checked.withoutBody,
    signature,
    ...(signedBy === undefined ? {} : { signedBy }),
    faults: faults.slice(0, MAX_FAULTS),
  };
}

function readHeader(line: string, faults: Fault[]): ExportHeader | undefined {
  try {
    const text = unescapeMarkup(line);
    const header = JSON.parse(text) as ExportHeader;
    const isKnown = header.format === EXPORT_FORMAT && Object.keys(header).join(' ') === HEADER_KEYS;
    if (isKnown && canonicalJson(header) === text) return header;
  } catch {
    // Reported below, as a header of another shape is.
  }
  faults.push({ where: 'header', what: 'it cannot be read' });
  return undefined;
}

function readProof(text: string, faults: Fault[]): ExportProof | undefined {
  try {
    const { digest, signature, ...rest } = JSON.parse(text) as ExportProof;
    const isKnown = typeof digest === 'string' && signature !== null && Object.keys(rest).length === 0;
    if (isKnown) {
      const proof = { digest, ...(signature === undefined ? {} : { signature }) };
      if (canonicalJson(proof) === text) return proof;
    }
  } catch {
    // Reported below, as a proof of another shape is.
  }
  faults.push({ where: 'proof', what: 'the digest and the signature cannot be read' });
  return undefined;
}

interface Checked {
  events: number;
  withoutBody: number;
  end: string;
  readonly ends: Map<string, StreamEnd>;
}

async function verifyEvents(
  lines: readonly string[],
  crypto: ExportCrypto,
  faults: Fault[],
): Promise<Checked> {
  const checked: Checked = { events: 0, withoutBody: 0, end: '', ends: new Map() };
  let last = { seq: 0, hash: '' };
  for (const [i, line] of lines.entries()) {
    const link = LINK.exec(line);
    if (link !== null) {
      const seq = Number(link[1]);
      if (seq <= last.seq) faults.push({ where: `line ${i + 2}`, what: 'the events are not in order' });
      last = { seq, hash: link[2] as string };
      continue;
    }
    const event = readEvent(line);
    if (event === undefined) {
      faults.push({ where: `line ${i + 2}, after seq ${last.seq}`, what: 'the event cannot be read' });
      continue;
    }
    const where = `seq ${event.seq} (${event.stream} ${event.index}, ${event.type})`;
    for (const what of await faultsOf(event, last, checked.ends, crypto)) faults.push({ where, what });
    checked.ends.set(event.stream, { index: event.index, chain: event.chain });
    checked.events += 1;
    if (event.bodyDigest !== null && event.bodyText === null) checked.withoutBody += 1;
    checked.end = event.chain;
    last = { seq: event.seq, hash: event.chain };
  }
  if (checked.events === 0) faults.push({ where: 'data', what: 'it has no events' });
  return checked;
}

function readEvent(line: string): EventRecord | undefined {
  try {
    const record = parseMirrorLine(unescapeMarkup(line));
    return 'event' in record ? record.event : undefined;
  } catch {
    return undefined;
  }
}

async function faultsOf(
  event: EventRecord,
  last: { readonly seq: number; readonly hash: string },
  ends: ReadonlyMap<string, StreamEnd>,
  crypto: ExportCrypto,
): Promise<readonly string[]> {
  const found: string[] = [];
  const previous = ends.get(event.stream) ?? EMPTY_STREAM;
  if (event.seq !== last.seq + 1) found.push('the place of the event before it is missing');
  if (event.index !== previous.index + 1)
    found.push(`out of order: index ${previous.index + 1} was expected`);
  if (
    event.bodyText !== null &&
    event.bodyDigest !== (await crypto.sha256(saltedText(event.salt ?? '', event.bodyText)))
  )
    found.push('the body differs from the one that was recorded');
  if (event.chain !== (await crypto.sha256(chainedText(previous.chain, last.hash, event))))
    found.push('the chain is broken here: this event, or the place of one before it, was changed');
  return found;
}

function compareWithHeader(header: ExportHeader, { events, ends }: Checked, faults: Fault[]): void {
  if (header.events !== events)
    faults.push({ where: 'header', what: `it counts ${header.events} events, but there are ${events}` });
  if (canonicalJson(header.streams) !== canonicalJson(Object.fromEntries(ends)))
    faults.push({ where: 'header', what: 'the ends of the streams differ from those of the events' });
}

async function checkSignature(
  proof: ExportProof | undefined,
  header: ExportHeader | undefined,
  crypto: ExportCrypto,
): Promise<ExportReport['signature']> {
  if (proof?.signature === undefined || header === undefined) return 'none';
  const { workspace, at, key, signature } = proof.signature;
  const text = signedExportText({ workspace, at, run: header.run, digest: proof.digest });
  const isValid = await crypto.verifyEd25519(key, text, signature).catch(() => false);
  if (isValid === undefined) return 'unsupported';
  return isValid ? 'valid' : 'wrong';
}
