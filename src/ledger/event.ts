import {
  canonicalCopy,
  canonicalJson,
  digestOf,
  type Json,
  type JsonObject,
  remembering,
} from '../kernel/index.ts';
import type { EventDraft, LedgerHead, StreamEnd } from './types.ts';

/** The stored form of an event: texts exactly as hashed. */
export interface EventRecord {
  readonly seq: number;
  readonly stream: string;
  readonly index: number;
  readonly type: string;
  readonly at: number;
  readonly actor: string;
  /** True on the last event of each transaction. */
  readonly ends: boolean;
  readonly dataText: string;
  readonly bodyText: string | null;
  readonly salt: string | null;
  readonly bodyDigest: string | null;
  readonly chain: string;
}

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

/** What sealing an event needs beside the draft. */
export interface SealContext {
  readonly seq: number;
  readonly stream: string;
  readonly previous: StreamEnd;
  /** The chain value of the event before this one in the whole ledger. */
  readonly head: string;
  readonly at: number;
  readonly actor: string;
  readonly ends: boolean;
  readonly newSalt: () => string;
}

/** Gives a draft its place and its chain value. */
export function sealEvent(draft: EventDraft, context: SealContext): LedgerEvent {
  let bodyText: string | null = null;
  let salt: string | null = null;
  let bodyDigest: string | null = null;
  let body: Json | undefined;
  if (draft.body !== undefined) {
    body = canonicalCopy(draft.body);
    bodyText = canonicalJson(body);
    salt = context.newSalt();
    bodyDigest = digestOfBody(salt, bodyText);
  }
  const record = {
    seq: context.seq,
    stream: context.stream,
    index: context.previous.index + 1,
    type: draft.type,
    at: context.at,
    actor: context.actor,
    ends: context.ends,
    dataText: canonicalJson(draft.data),
    bodyText,
    salt,
    bodyDigest,
    chain: '',
  };
  record.chain = chainAfter(context.previous.chain, context.head, record);
  return new LedgerEvent(record, draft.data, body);
}

/** The body's digest; the salt makes short bodies unguessable once they are erased. */
export function digestOfBody(salt: string, bodyText: string): string {
  return digestOf(`${salt}\n${bodyText}`);
}

/**
 * An event's chain value: over the previous value of its stream, the previous value of the whole ledger, its header,
 * its data and its body's digest. The newest value is therefore the head of the whole ledger.
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

const MOST_QUOTED = 5_000;

/** A name as JSON; the same few come with every event. */
export const quoted = remembering(MOST_QUOTED, canonicalJson);

/** The end of a stream that has no events. */
export const EMPTY_STREAM: StreamEnd = { index: -1, chain: '' };

/** The head of a ledger that has no events. */
export const EMPTY_LEDGER: LedgerHead = { seq: 0, hash: '' };
