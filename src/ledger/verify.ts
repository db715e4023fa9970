// Owns: verifying that stored events are unchanged since they were sealed. Does not own: reading or repairing them.
// I1 Sequence numbers are dense; a gap, a tail cut before the head or a foreign row is a fault.
// I2 Each event's chain value follows from its own texts, its stream's previous event and the ledger's previous event.
// I3 A body may be missing only if a `body.erased` event names it; an event only if its stream was archived, or if an
// `events.lost` event names it. An event after a missing one of its stream proves itself by that one's chain value.
import { chainAfter, digestOfBody, EMPTY_LEDGER, EMPTY_STREAM } from './event.ts';
import { type EventAddress, namedAddresses } from './housekeeping.ts';
import type { MirrorRecord } from './mirror-line.ts';
import type { EventRecord, LedgerHead, StreamEnd } from './types.ts';

/** A fault and its location. */
export interface Fault {
  readonly where: string;
  readonly what: string;
}

export interface ChainReport {
  readonly events: number;
  readonly archived: number;
  readonly streams: number;
  readonly head: LedgerHead;
  readonly faults: readonly Fault[];
}

/** Where verification starts: a head known to be valid, and the end of each stream there. */
export interface ChainStart {
  readonly head: LedgerHead;
  readonly endOf: (stream: string) => StreamEnd;
  /** The chain values of earlier positions whose event is missing. */
  readonly absent?: () => Iterable<string>;
}

const LEDGER_START: ChainStart = { head: EMPTY_LEDGER, endOf: () => EMPTY_STREAM };
const MAX_FAULTS = 100;
const HOUSEKEEPING: ReadonlySet<string> = new Set(['body.erased', 'events.lost', 'stream.archived']);

/** Verifies events in order of `seq`. Pass each record to `add`, then call `report`. */
export class ChainVerifier {
  readonly #start: ChainStart;
  readonly #ends = new Map<string, StreamEnd>();
  readonly #faults: Fault[] = [];
  readonly #missingBodies = new Map<string, number>();
  readonly #erased = new Set<string>();
  /** Chain values of positions whose event is missing. */
  readonly #absent: string[] = [];
  readonly #skipped = new Map<string, EventAddress & { readonly seq: number }>();
  readonly #lost = new Set<string>();
  readonly #countOf = { events: 0, archived: 0 };
  #seq: number;
  #head: string;
  #cut = false;

  constructor(start: ChainStart = LEDGER_START) {
    this.#start = start;
    this.#seq = start.head.seq;
    this.#head = start.head.hash;
  }

  /** The last verified event, or the start of verification. */
  get head(): LedgerHead {
    return { seq: this.#seq, hash: this.#head };
  }

  /** Whether the record is a valid successor: its position, its chain value and its body. */
  fits(record: MirrorRecord): boolean {
    if (!('event' in record)) return record.archived.seq === this.#seq + 1;
    const { event } = record;
    const previous = this.#previousOf(event);
    return (
      event.seq === this.#seq + 1 &&
      event.index === previous.index + 1 &&
      isBodyValid(event) &&
      event.chain === chainAfter(previous.chain, this.#head, event)
    );
  }

  /** The addresses of missing events that a later event of their stream skips, with its position. */
  get skipped(): readonly (EventAddress & { readonly seq: number })[] {
    return [...this.#skipped.values()];
  }

  /** The chain value that an event has as the next one. */
  chainOf(event: EventRecord): string {
    return chainAfter(this.#previousOf(event).chain, this.#head, event);
  }

  /** Whether an event proves that the one before it, which may be missing, has this chain value. */
  confirms(chain: string, event: EventRecord): boolean {
    const previous = [this.#endOf(event.stream).chain, chain, ...this.#absent];
    return previous.some((one) => event.chain === chainAfter(one, chain, event));
  }

  add(record: MirrorRecord): void {
    const { seq, chain } = 'event' in record ? record.event : record.archived;
    if (seq !== this.#seq + 1)
      this.#fault(`seq ${this.#seq + 1}`, `missing: the next event found is seq ${seq}`);
    if ('event' in record) this.#addEvent(record.event);
    else {
      this.#countOf.archived += 1;
      if (chain !== '') this.#absent.push(chain);
    }
    this.#cut = 'event' in record && !record.event.ends;
    this.#seq = seq;
    this.#head = chain;
  }

  report(): ChainReport {
    if (this.#cut) this.#fault(`seq ${this.#seq}`, 'the last transaction is cut: its end is missing');
    for (const [address, seq] of this.#missingBodies) {
      if (!this.#erased.has(address))
        this.#fault(`seq ${seq} (${address})`, 'the body is missing and no tombstone names it');
    }
    for (const [address, { seq }] of this.#skipped)
      if (!this.#lost.has(address))
        this.#fault(`seq ${seq}`, `the event before it in its stream (${address}) is missing`);
    return {
      events: this.#countOf.events,
      archived: this.#countOf.archived,
      streams: this.#ends.size,
      head: this.head,
      faults: this.#faults,
    };
  }

  #addEvent(event: EventRecord): void {
    this.#countOf.events += 1;
    const where = `seq ${event.seq} (${event.stream} ${event.index}, ${event.type})`;
    const previous = this.#previousOf(event);
    const { stream, seq } = event;
    for (let index = this.#endOf(stream).index + 1; index <= previous.index; index++)
      this.#skipped.set(`${stream} ${index}`, { stream, index, seq });
    if (event.index !== previous.index + 1) {
      this.#fault(where, `out of order: index ${previous.index + 1} was expected`);
    }
    if (!isBodyValid(event)) this.#fault(where, 'the body differs from the one that was recorded');
    if (event.chain !== chainAfter(previous.chain, this.#head, event)) {
      this.#fault(where, 'the chain is broken here: this event, or the place of one before it, was changed');
    }
    this.#ends.set(event.stream, { index: event.index, chain: event.chain });
    if (event.bodyText === null && event.bodyDigest !== null) {
      this.#missingBodies.set(`${event.stream} ${event.index}`, event.seq);
    }
    this.#addHousekeeping(event, where);
  }

  #addHousekeeping(event: EventRecord, where: string): void {
    if (!HOUSEKEEPING.has(event.type)) return;
    try {
      const data = JSON.parse(event.dataText);
      if (event.type !== 'stream.archived') {
        const named = event.type === 'body.erased' ? this.#erased : this.#lost;
        for (const { stream, index } of namedAddresses(data)) named.add(`${stream} ${index}`);
        return;
      }
      if (this.#ends.has(data.stream))
        this.#fault(where, `${data.stream} was archived, yet events of it are still there`);
      this.#ends.set(data.stream, { index: data.lastIndex, chain: data.chain });
    } catch {
      this.#fault(where, 'the event cannot be read');
    }
  }

  /** The end of the event's stream, or the place of a missing event that the event proves to be before it. */
  #previousOf(event: EventRecord): StreamEnd {
    const end = this.#endOf(event.stream);
    if (event.index <= end.index + 1) return end;
    for (const absent of [this.#absent, this.#start.absent?.() ?? []])
      for (const chain of absent)
        if (event.chain === chainAfter(chain, this.#head, event)) return { index: event.index - 1, chain };
    return end;
  }

  #endOf(stream: string): StreamEnd {
    return this.#ends.get(stream) ?? this.#start.endOf(stream);
  }

  #fault(where: string, what: string): void {
    if (this.#faults.length < MAX_FAULTS) this.#faults.push({ where, what });
  }
}

/** Whether the body is erased or unchanged. `report` checks that a tombstone names each erased body. */
export function isBodyValid(event: EventRecord): boolean {
  return event.bodyText === null || event.bodyDigest === digestOfBody(event.salt ?? '', event.bodyText);
}
