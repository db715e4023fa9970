// Owns: the data of an exported run as text: a header, then events exactly as the mirror has them. Does not own: the page around it.
import { canonicalJson } from '../../kernel/index.ts';
import { mirrorLine } from '../event.ts';
import type { EventRecord, LedgerHead, StreamEnd } from '../types.ts';

export const EXPORT_FORMAT = 'oka run export 1';

/** The first line of the data. */
export interface ExportHeader {
  readonly format: typeof EXPORT_FORMAT;
  readonly run: string;
  readonly exportedAt: number;
  /** The version of Oka that wrote it. */
  readonly version: string;
  readonly events: number;
  /** The last index and the chain value of each stream. */
  readonly streams: Readonly<Record<string, StreamEnd>>;
  /** The end of the ledger when the run was exported. */
  readonly head: LedgerHead;
  /** The digest of the readable part and its style. */
  readonly page: string;
}

/** The part of an export that proves the data. */
export interface ExportProof {
  /** The digest of the data. */
  readonly digest: string;
  readonly signature?: ExportSignature;
}

/** A signature of the user's key. */
export interface ExportSignature {
  readonly workspace: string;
  readonly at: number;
  /** The public key, as base64 of its DER form. */
  readonly key: string;
  /** The Ed25519 signature of `signedExportText`, as base64. */
  readonly signature: string;
}

export type ExportStatement = Pick<ExportSignature, 'workspace' | 'at'> & {
  readonly run: string;
  readonly digest: string;
};

/** The text that is signed. */
export function signedExportText({ workspace, run, at, digest }: ExportStatement): string {
  return ['oka signed run export 1', workspace, run, at, digest].join('\n');
}

/**
 * The data of an export. Events are in order of seq; before each whose predecessor in the ledger is not exported there is a line
 * with the position and the chain value of that predecessor, which its own chain value covers.
 */
export function exportText(
  header: ExportHeader,
  events: readonly EventRecord[],
  chainAt: (seq: number) => string,
): string {
  const lines = [canonicalJson(header)];
  let last = 0;
  for (const event of events) {
    if (event.seq !== last + 1) lines.push(linkLine({ seq: event.seq - 1, hash: chainAt(event.seq - 1) }));
    lines.push(mirrorLine(event));
    last = event.seq;
  }
  return lines.map(escapeMarkup).join('\n');
}

function linkLine({ seq, hash }: LedgerHead): string {
  return `{"seq":${seq},"chain":"${hash}"}`;
}

/** `<` occurs only in the strings of JSON. Without it, no text can end the element that the data is in. */
export function escapeMarkup(json: string): string {
  return json.replaceAll('<', '\\u003c');
}

/** Undoes `escapeMarkup`. A backslash that is itself escaped does not start an escape. */
export function unescapeMarkup(json: string): string {
  return json.replaceAll(/\\\\|\\u003c/g, (found) => (found === '\\\\' ? found : '<'));
}

/** The text that `page` of the header is the digest of. */
export function pageText(style: string, html: string): string {
  return `${style}\n${html}`;
}
