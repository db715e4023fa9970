import {
  canonicalForm,
  canonicalJson,
  digestOf,
  type Json,
  type JsonObject,
  memoize,
} from '../kernel/index.ts';
import type { EventDraft, EventRecord, LedgerHead, StreamEnd } from './types.ts';

/** An event of the ledger. `data` and `body` are parsed from the stored text, so live runs and replays see equal values. */
export class LedgerEvent implements EventRecord {
  readonly seq: number;
  readonly stream: string;
  readonly index: number;
  readonly type: string;
  readonly at: number;
  readonly actor: string;
  readonly ends: boolean;
  readonly dataText: string;
  readonly bodyText: string | null;
  readonly salt: string | null;
  readonly bodyDigest: string | null;
  readonly chain: string;
  #data: JsonObject | undefined;
  #body: Json | undefined;

  /** Pass `data` and `body` if already parsed; they must equal the parsed texts. */
  constructor(record: EventRecord, data?: JsonObject, body?: Json) {
    this.#data = data;
    this.#body = body;
    this.seq = record.seq;
    this.stream = record.stream;
    this.index = record.index;
    this.type = record.type;
    this.at = record.at;
    this.actor = record.actor;
    this.ends = record.ends;
    this.dataText = record.dataText;
    this.bodyText = record.bodyText;
    this.salt = record.salt;
    this.bodyDigest = record.bodyDigest;
    this.chain = record.chain;
  }

  get data(): JsonObject {
    this.#data ??= JSON.parse(this.dataText) as JsonObject;
    return this.#data;
  }

  /** Undefined if the event never had a body or the body was erased. */
  get body(): Json | undefined {
    if (this.#body === undefined && this.bodyText !== null) this.#body = JSON.parse(this.bodyText) as Json;
    return this.#body;
  }

  get bodyErased(): boolean {
    return this.bodyDigest !== null && this.bodyText === null;
  }
}

/** Members that the store sets before anyone else reads the event. */
type Unstored = {
  -readonly [Part in 'seq' | 'index' | 'at' | 'ends' | 'bodyDigest' | 'chain']: LedgerEvent[Part];
};

/** Serializes a draft, so that it can no longer change. It has no position yet. */
export function writeOut(
  draft: EventDraft,
  stream: string,
  actor: string,
  newSalt: () => string,
): LedgerEvent {
  const body = draft.body === undefined ? undefined : canonicalForm(draft.body);
  const record = {
    seq: 0,
    stream,
    index: 0,
    type: draft.type,
    at: 0,
    actor,
    ends: false,
    dataText: canonicalJson(draft.data),
    bodyText: body === undefined ? null : body.text,
    salt: body === undefined ? null : newSalt(),
    bodyDigest: null,
    chain: '',
  };
  return new LedgerEvent(record, draft.data, body?.value);
}

/** Sets the position of an event. */
export function placeEvent(event: LedgerEvent, seq: number, index: number, at: number): void {
  const open: Unstored = event;
  open.seq = seq;
  open.index = index;
  open.at = at;
  open.ends = false;
}

/** Marks a placed event as the last of its transaction. */
export function markEnd(event: LedgerEvent): void {
  const open: Unstored = event;
  open.ends = true;
}

/** Chains a placed event to its predecessors in the stream and in the ledger. */
export function sealEvent(event: LedgerEvent, previousInStream: string, previousInLedger: string): void {
  const open: Unstored = event;
  if (event.bodyText !== null) open.bodyDigest = digestOfBody(event.salt ?? '', event.bodyText);
  open.chain = chainAfter(previousInStream, previousInLedger, event);
}

const MAX_QUOTED = 5_000;

/** A name as JSON, cached because events repeat the same names. */
const quoted = memoize(MAX_QUOTED, canonicalJson);

/** The text whose digest stands for a body. The salt prevents guessing short bodies after erasure. */
export function saltedText(salt: string, bodyText: string): string {
  return `${salt}\n${bodyText}`;
}

export function digestOfBody(salt: string, bodyText: string): string {
  return digestOf(saltedText(salt, bodyText));
}

type ChainedPart = Omit<EventRecord, 'bodyText' | 'salt' | 'chain'>;

/**
 * An event's chain value covers the previous value of its stream, the previous value of the ledger, its header, its data
 * and the digest of its body. The newest value is therefore the head of the whole ledger.
 */
export function chainAfter(previousInStream: string, previousInLedger: string, event: ChainedPart): string {
  return digestOf(chainedText(previousInStream, previousInLedger, event));
}

/** The text whose digest is the chain value of an event. */
export function chainedText(previousInStream: string, previousInLedger: string, event: ChainedPart): string {
  const names = `${quoted(event.stream)} ${quoted(event.type)} ${quoted(event.actor)}`;
  const header = `${event.seq} ${event.index} ${event.at} ${event.ends ? 1 : 0} ${names}`;
  return `${previousInStream}\n${previousInLedger}\n${header}\n${event.dataText}\n${event.bodyDigest ?? ''}`;
}

/** One line of `run_ledger.jsonl`, without its newline. Data and body are written exactly as hashed. */
export function mirrorLine(event: EventRecord): string {
  let line = `{"seq":${event.seq},"stream":${quoted(event.stream)},"index":${event.index},"type":${quoted(event.type)},"at":${event.at},"actor":${quoted(event.actor)},"ends":${event.ends},"data":${event.dataText}`;
  if (event.bodyText !== null) line += `,"body":${event.bodyText},"salt":"${event.salt}"`;
  if (event.bodyDigest !== null) line += `,"bodyDigest":"${event.bodyDigest}"`;
  return `${line},"chain":"${event.chain}"}`;
}

/** The end of a stream that has no events. */
export const EMPTY_STREAM: StreamEnd = { index: -1, chain: '' };

/** The head of a ledger that has no events. */
export const EMPTY_LEDGER: LedgerHead = { seq: 0, hash: '' };
