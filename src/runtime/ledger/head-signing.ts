// Owns: when the head of an open ledger is signed: after runs end, and when the ledger closes.
import type { FoundHead, SignedHeads } from '../../adapters/workspace/index.ts';
import { type Clock, type JsonObject, OkaError } from '../../kernel/index.ts';
import {
  compareWithSigned,
  type HeadSource,
  type LedgerErrorCode,
  type LedgerEvent,
} from '../../ledger/index.ts';
import type { LedgerRecords, LedgerStore } from './open-ledger.ts';

/** Runs that end within this time share one signature. After a crash, the events since the last signature are unsigned. */
const DELAY_MS = 250;
const RUN_ENDS: ReadonlySet<string> = new Set(['run.completed', 'run.failed', 'run.cancelled']);

interface HeadSigningParts {
  readonly heads: SignedHeads;
  readonly store: Pick<LedgerStore, 'makeDurable'>;
  readonly archive: Pick<LedgerRecords, 'head' | 'chainAt'>;
  readonly clock: Clock;
  readonly warn: (message: string) => void;
}

export class HeadSigning {
  readonly #parts: HeadSigningParts;
  #cancel: (() => void) | undefined;
  #signing: Promise<void> = Promise.resolve();

  constructor(parts: HeadSigningParts) {
    this.#parts = parts;
  }

  /** Refuses a ledger that has other events than its signed head says, or is older. */
  requireAsSigned(): void {
    const { heads, archive } = this.#parts;
    const difference = differenceFrom(heads.anchored(), archive);
    if (difference === undefined) return;
    const { code, what, data } = difference;
    throw new OkaError<LedgerErrorCode>(
      code,
      `Nothing was written, because ${what}. Restore the newer ledger with oka backup restore, or continue with this one: oka ledger repair --accept-head.`,
      { data },
    );
  }

  note = (events: readonly LedgerEvent[]): void => {
    if (this.#cancel !== undefined || !events.some(({ type }) => RUN_ENDS.has(type))) return;
    const { clock } = this.#parts;
    this.#cancel = clock.callAt(
      clock.now() + DELAY_MS,
      () => {
        this.#cancel = undefined;
        this.#signing = this.#signing.then(() => this.#sign());
      },
      { background: true },
    );
  };

  async close(): Promise<void> {
    this.#cancel?.();
    await this.#signing;
    await this.#sign();
  }

  /** The head is read before the sync, so that only events on disk are signed. */
  async #sign(): Promise<void> {
    const { heads, store, archive, warn } = this.#parts;
    try {
      const head = archive.head();
      const known = heads.anchored();
      if (known.state === 'valid' && known.head.seq >= head.seq) return;
      await store.makeDurable();
      heads.sign(head);
    } catch (error) {
      warn(`The head of the ledger could not be signed: ${(error as Error).message}`);
    }
  }
}

/** A ledger that is not as its signed head says. */
export interface SignedDifference {
  readonly code: 'ledger.older_than_signed' | 'ledger.rewritten';
  readonly what: string;
  readonly data: JsonObject;
}

/** How a ledger differs from the head that the user's key has signed; undefined if it does not, or none is known. */
export function differenceFrom(found: FoundHead, ledger: HeadSource): SignedDifference | undefined {
  if (found.state === 'none') return undefined;
  if (found.state === 'forged')
    return {
      code: 'ledger.rewritten',
      what: 'the signed head in your own folder was not signed with your key',
      data: {},
    };
  const { seq, at } = found.head;
  const comparison = compareWithSigned(found.head, ledger);
  if (comparison === 'sound') return undefined;
  const last = ledger.head().seq;
  const when = new Date(at).toISOString();
  const data = { signed: { seq, at }, found: { seq: last } };
  return comparison === 'older'
    ? {
        code: 'ledger.older_than_signed',
        what: `the ledger ends at event ${last}, but event ${seq} was signed at ${when}: newer events are missing`,
        data,
      }
    : {
        code: 'ledger.rewritten',
        what: `event ${seq} differs from the one signed at ${when}: the ledger was rewritten or replaced`,
        data,
      };
}
