// Owns: the outcomes of effects with an idempotency key, across all runs. One stream per tool and key:
// I1 An effect is claimed in the commit of its intent, at the expected end of the stream, so that only one of two runs acts.
// I2 Only a success is recorded under a key; a failure releases the key.
import { digestOfJson, type Json, OkaError } from '../kernel/index.ts';
import type { EventStore, LedgerEvent, StreamAppend } from '../ledger/index.ts';
import { hashArguments } from './middleware/check-policy.ts';
import { runStream } from './run-events.ts';
import type { ReadMarks } from './step-events.ts';

interface Claim {
  readonly run: string;
  readonly step: number;
  readonly argumentsHash: string;
}

/** Another run claimed the key between the read and the commit; read it again. */
export class KeyTaken extends Error {}

/** One key of one tool, as read from its stream. */
export class EffectKey {
  readonly #stream: string;
  readonly #claim: Claim;
  readonly #end: number;
  readonly #last: LedgerEvent | undefined;
  #isClaimed = false;

  private constructor(stream: string, claim: Claim, events: readonly LedgerEvent[]) {
    this.#stream = stream;
    this.#claim = claim;
    this.#end = events.length;
    this.#last = events.at(-1);
  }

  static async load(
    events: EventStore,
    call: { tool: string; key: string; input: Json; run: string; step: number },
  ): Promise<EffectKey> {
    const { tool, key, input, run, step } = call;
    const stream = `effect/${digestOfJson({ tool, key })}`;
    const claim = { run, step, argumentsHash: hashArguments(tool, input) };
    return new EffectKey(stream, claim, await events.read(stream));
  }

  /** Where the outcome is recorded, if there is one. Rejects other arguments and an effect in progress in another run. */
  recorded(): { readonly run: string; readonly step: number; readonly index: number } | undefined {
    const last = this.#last?.data as (Claim & { index?: number }) | undefined;
    if (last === undefined || this.#last?.type === 'effect.released') return undefined;
    if (last.argumentsHash !== this.#claim.argumentsHash) {
      throw new OkaError(
        'engine.key_reused',
        `Run ${last.run} used this idempotency key with other arguments. Use a different key for this call.`,
        { data: { run: last.run, step: last.step } },
      );
    }
    if (last.index !== undefined) return { run: last.run, step: last.step, index: last.index };
    if (last.run === this.#claim.run) return undefined;
    throw new OkaError(
      'engine.effect_under_way',
      `Run ${last.run} is already doing this, or was interrupted while doing it. Check: oka runs show ${last.run}.`,
      { data: { run: last.run, step: last.step }, transient: true },
    );
  }

  /** Claims the key. A second call means a commit conflict, so another run may hold the key. */
  claim = (): StreamAppend[] => {
    if (this.#isClaimed) throw new KeyTaken();
    this.#isClaimed = true;
    const events = [{ type: 'effect.claimed', data: { ...this.#claim } }];
    return [{ stream: this.#stream, expectedIndex: this.#end, events }];
  };

  /** Records the outcome; `index` is its position in the run's stream. */
  record(index: number): StreamAppend {
    return { stream: this.#stream, events: [{ type: 'effect.recorded', data: { ...this.#claim, index } }] };
  }

  release(): StreamAppend {
    return { stream: this.#stream, events: [{ type: 'effect.released', data: { ...this.#claim } }] };
  }
}

/** The recorded outcome and what the call had read; undefined if it was erased. */
export async function recordedOutput(
  events: EventStore,
  place: { readonly run: string; readonly index: number },
): Promise<{ readonly output: Json; readonly read: ReadMarks } | undefined> {
  const [event] = await events.read(runStream(place.run), place.index);
  const { output, untrustedFrom } = (event?.body ?? {}) as { output?: Json; untrustedFrom?: string };
  if (output === undefined) return undefined;
  const { untrusted } = (event?.data ?? {}) as ReadMarks;
  return { output, read: { untrusted, untrustedFrom } };
}
