import {
  canonicalForm,
  canonicalJson,
  digestOf,
  type Json,
  type JsonObject,
  remembering,
} from '../kernel/index.ts';
import type { EventDraft, EventRecord, LedgerHead, StreamEnd } from './types.ts';

/** An event of the ledger. `data` and `body` are what the stored text says, so live and replay see the same values. */
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

  /** `data` and `body` may be given where they are at hand; they must be what the texts say. */
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

  /** Undefined when the event never had a body, or when the body was erased. */
  get body(): Json | undefined {
    if (this.#body === undefined && this.bodyText !== null) this.#body = JSON.parse(this.bodyText) as Json;
    return this.#body;
  }

  get bodyErased(): boolean {
    return this.bodyDigest !== null && this.bodyText === null;
  }
}

/** What an event is given by the store that takes it, before anybody else sees it. */
type Unstored = {
  -readonly [Part in 'seq' | 'index' | 'at' | 'ends' | 'bodyDigest' | 'chain']: LedgerEvent[Part];
};

/** Writes a draft out, so that nothing can change it any more. It has no place yet. */
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

/** Gives an event its place. */
export function placeEvent(event: LedgerEvent, seq: number, index: number, at: number): void {
  const open: Unstored = event;
  open.seq = seq;
  open.index = index;
  open.at = at;
  open.ends = false;
}

/** Makes a placed event the last one of its transaction. */
export function markEnd(event: LedgerEvent): void {
  const open: Unstored = event;
  open.ends = true;
}

/** Chains a placed event to the one before it in its stream and the one before it in the ledger. */
export function sealEvent(event: LedgerEvent, previousInStream: string, previousInLedger: string): void {
  const open: Unstored = event;
  if (event.bodyText !== null) open.bodyDigest = digestOfBody(event.salt ?? '', event.bodyText);
  open.chain = chainAfter(previousInStream, previousInLedger, event);
}

const MAX_QUOTED = 5_000;

/** A name as JSON, cached because every event has the same few names. */
const quoted = remembering(MAX_QUOTED, canonicalJson);

/** The body's digest. The salt makes short bodies unguessable once they are erased. */
export function digestOfBody(salt: string, bodyText: string): string {
  return digestOf(`${salt}\n${bodyText}`);
}

/**
 * An event's chain value: over the previous value of its stream, the previous value of the whole ledger, its header, its
 * data and its body's digest. The newest value is therefore the head of the whole ledger.
 */
export function chainAfter(
  previousInStream: string,
  previousInLedger: string,
  event: Omit<EventRecord, 'bodyText' | 'salt' | 'chain'>,
): string {
  const names = `${quoted(event.stream)} ${quoted(event.type)} ${quoted(event.actor)}`;
  const header = `${event.seq} ${event.index} ${event.at} ${event.ends ? 1 : 0} ${names}`;
  return digestOf(
    `${previousInStream}\n${previousInLedger}\n${header}\n${event.dataText}\n${event.bodyDigest ?? ''}`,
  );
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
