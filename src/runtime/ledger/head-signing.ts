// Owns: when the head of an open ledger is signed: after runs end, and when the ledger closes; and comparing a ledger with the
// heads that were signed.
import type { KnownHeads, SignedHeads } from '../../adapters/workspace/index.ts';
import { type Clock, type JsonObject, OkaError } from '../../kernel/index.ts';
import {
  compareWithSigned,
  type HeadSource,
  type LedgerErrorCode,
  type LedgerEvent,
  type LedgerHead,
} from '../../ledger/index.ts';

/** Runs that end within this time share one signature. After a crash, the events since the last signature are unsigned. */
const DELAY_MS = 250;
const RUN_ENDS: ReadonlySet<string> = new Set(['run.completed', 'run.failed', 'run.cancelled']);

interface HeadSigningParts {
  readonly heads: SignedHeads;
  readonly ledger: HeadSource;
  /** What is signed, if it is not read from the ledger. */
  readonly known?: HeadSource;
  /** Makes everything that the ledger has now survive a crash. */
  readonly makeDurable: () => Promise<void>;
  /** Signs so long after any event, where the ends of runs do not suffice. */
  readonly afterEventsMs?: number;
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

  /** The newest head that was signed. */
  async newest(): Promise<LedgerHead | undefined> {
    return (await knownHeads(this.#parts)).heads[0];
  }

  async difference(): Promise<SignedDifference | undefined> {
    return differenceFrom(await knownHeads(this.#parts), this.#parts.ledger);
  }

  /** Refuses a ledger that has other events than a signed head says, or is older. */
  async requireAsSigned(): Promise<void> {
    const difference = await this.difference();
    if (difference !== undefined) throw notAsSigned(difference);
  }

  note = (events: readonly LedgerEvent[]): void => {
    const { clock, afterEventsMs } = this.#parts;
    const isDue = afterEventsMs !== undefined || events.some(({ type }) => RUN_ENDS.has(type));
    if (this.#cancel !== undefined || !isDue) return;
    this.#cancel = clock.callAt(
      clock.now() + (afterEventsMs ?? DELAY_MS),
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

  async #sign(): Promise<void> {
    try {
      const { heads, ledger, known, makeDurable } = this.#parts;
      await signHead({ heads, ledger: known ?? ledger, makeDurable });
    } catch (error) {
      this.#parts.warn(`The head of the ledger could not be signed: ${(error as Error).message}`);
    }
  }
}

/** Every head that was signed for this ledger. */
export async function knownHeads({
  heads,
  ledger,
}: Pick<HeadSigningParts, 'heads' | 'ledger'>): Promise<KnownHeads> {
  return heads.known(await ledger.chainAt(1));
}

/** Signs the head of a ledger. It is read before the sync, so that only durable events are signed. */
export async function signHead(
  { heads, ledger, makeDurable }: Pick<HeadSigningParts, 'heads' | 'ledger' | 'makeDurable'>,
  { always = false } = {},
): Promise<LedgerHead> {
  const head = await ledger.head();
  await makeDurable();
  heads.sign(head, { always, start: await ledger.chainAt(1) });
  return head;
}

/** A ledger that is not as its signed head says. */
export interface SignedDifference {
  readonly code: 'ledger.older_than_signed' | 'ledger.rewritten';
  readonly what: string;
  readonly data: JsonObject;
}

/** The refusal to write such a ledger. */
function notAsSigned({ code, what, data }: SignedDifference): OkaError<LedgerErrorCode> {
  return new OkaError<LedgerErrorCode>(
    code,
    `Nothing was written, because ${what}. To bring the events back from local copies: oka ledger repair. Or restore the newer ledger with oka backup restore, or continue with this one: oka ledger repair --accept-head.`,
    { data },
  );
}

/** How a ledger differs from the heads that were signed; undefined if it does not, or none is known. */
export async function differenceFrom(
  { heads, forged }: KnownHeads,
  ledger: HeadSource,
): Promise<SignedDifference | undefined> {
  if (forged.length > 0)
    return {
      code: 'ledger.rewritten',
      what: `the signed head in ${forged[0]} was not signed with your key`,
      data: { file: forged[0] as string },
    };
  for (const head of heads) {
    const comparison = await compareWithSigned(head, ledger);
    if (comparison !== 'sound') return describeDifference(comparison, head, await ledger.head());
  }
  return undefined;
}

/** Describes a ledger that ends at `last`, compared with a head that was known at a time. */
function describeDifference(
  comparison: 'older' | 'rewritten',
  { seq, at }: { readonly seq: number; readonly at: number },
  last: { readonly seq: number },
): SignedDifference {
  const when = new Date(at).toISOString();
  const data = { signed: { seq, at }, found: { seq: last.seq } };
  const missing = seq - last.seq;
  return comparison === 'older'
    ? {
        code: 'ledger.older_than_signed',
        what: `the ledger ends at event ${last.seq}, but event ${seq} was signed at ${when}: ${missing === 1 ? '1 newer event is' : `${missing} newer events are`} missing`,
        data,
      }
    : {
        code: 'ledger.rewritten',
        what: `event ${seq} differs from the one signed at ${when}: the ledger was rewritten or replaced`,
        data,
      };
}
