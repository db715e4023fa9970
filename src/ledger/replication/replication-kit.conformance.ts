import type { Clock, Random } from '../../kernel/index.ts';
import { bodyErased, type EventAddress, SYSTEM_STREAM, streamArchived } from '../housekeeping.ts';
import { MemoryEventStore } from '../memory-event-store.ts';
import type { MirrorRecord } from '../mirror-line.ts';
import type { Projection } from '../projection.ts';
import type { EventDraft, LedgerHead } from '../types.ts';
import type { OutboxSource } from './ports.ts';

const STILL: Clock = { now: () => 1_700_000_000_000, callAt: () => () => undefined };

/** Randomness for tests; ledgers with different seeds are different workspaces. */
export function randomFrom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const hex = (length: number): string =>
    Array.from({ length: length * 2 }, () => Math.floor(next() * 16).toString(16)).join('');
  return { next, hex };
}

/** A table of notes that events add and delete. */
export const NOTES: Projection = {
  name: 'notes',
  tables: [
    {
      name: 'notes',
      columns: { id: 'text', text: 'text', size: 'integer' },
      key: ['id'],
      indexes: [['text']],
    },
  ],
  types: new Set(['note.taken', 'note.marked', 'note.dropped']),
  apply: (event) => {
    const id = event.data['id'] as string;
    if (event.type === 'note.dropped') return [{ table: 'notes', delete: { id } }];
    if (event.type === 'note.marked') return [{ table: 'notes', patch: { size: -1 }, where: { id } }];
    const text = (event.body as { text: string } | undefined)?.text;
    return text === undefined ? [] : [{ table: 'notes', put: { id, text, size: text.length } }];
  },
};

/** A note whose content can be erased. */
export function note(id: string, text: string): EventDraft {
  return { type: 'note.taken', data: { id }, body: { text } };
}

/** An in-memory ledger with erasable content and archivable streams. */
export class TestLedger implements OutboxSource {
  readonly store: MemoryEventStore;
  readonly #erased = new Set<string>();
  readonly #archived = new Map<string, number>();
  /** The largest number of records returned by one read. */
  largestRead = 0;

  constructor(seed = 1) {
    this.store = new MemoryEventStore({ clock: STILL, random: randomFrom(seed) });
  }

  async append(stream: string, ...events: EventDraft[]): Promise<void> {
    await this.store.commit({ actor: 'test', sync: 'full', appends: [{ stream, events }] });
  }

  async fill(events: number, stream = 'notes'): Promise<void> {
    for (let i = 0; i < events; i++) await this.append(stream, note(`${stream} ${i}`, `text ${i}`));
  }

  async erase(...addresses: EventAddress[]): Promise<void> {
    for (const { stream, index } of addresses) this.#erased.add(`${stream} ${index}`);
    await this.append(SYSTEM_STREAM, bodyErased(addresses, 'test'));
  }

  async archive(stream: string): Promise<void> {
    const { index: lastIndex, chain } = await this.store.end(stream);
    this.#archived.set(stream, lastIndex);
    await this.append(SYSTEM_STREAM, streamArchived({ stream, lastIndex, chain, reason: 'test' }));
  }

  head(): Promise<LedgerHead> {
    return this.store.head();
  }

  async read(afterSeq: number, limit: number): Promise<readonly MirrorRecord[]> {
    const events = await this.store.readAfter(afterSeq, limit);
    this.largestRead = Math.max(this.largestRead, events.length);
    return events.map((event) => {
      const { seq, chain, stream, index } = event;
      if (index <= (this.#archived.get(stream) ?? -1)) return { archived: { seq, chain } };
      const { type, at, actor, ends, dataText, bodyDigest } = event;
      const gone = this.#erased.has(`${stream} ${index}`);
      const content = gone ? { bodyText: null, salt: null } : { bodyText: event.bodyText, salt: event.salt };
      return {
        event: { seq, stream, index, type, at, actor, ends, dataText, ...content, bodyDigest, chain },
      };
    });
  }
}
