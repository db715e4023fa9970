// Owns: what became of an effect that carries a key of its own, over all runs. One stream per tool and key:
// I1 An effect is claimed in the commit of its intent, against the stream's end, so that of two runs one acts.
// I2 Only a success is recorded under a key; after a failure the key is free again.
import { digestOfJson, type Json, OkaError } from '../kernel/index.ts';
import type { EventStore, LedgerEvent, StreamAppend } from '../ledger/index.ts';
import { hashArguments } from './middleware/check-policy.ts';
import { runStream } from './run-events.ts';

interface Claim {
  readonly run: string;
  readonly step: number;
  readonly argumentsHash: string;
}

/** The key was taken between the look and the commit; look again. */
export class KeyMoved extends Error {}

/** One key of one tool, as it stood when it was looked at. */
export class EffectKey {
  readonly #stream: string;
  readonly #claim: Claim;
  readonly #end: number;
  readonly #last: LedgerEvent | undefined;
  #asked = false;

  private constructor(stream: string, claim: Claim, events: readonly LedgerEvent[]) {
    this.#stream = stream;
    this.#claim = claim;
    this.#end = events.length;
    this.#last = events.at(-1);
  }

  static async look(
    events: EventStore,
    call: { tool: string; key: string; input: Json; run: string; step: number },
  ): Promise<EffectKey> {
    const { tool, key, input, run, step } = call;
    const stream = `effect/${digestOfJson({ tool, key })}`;
    const claim = { run, step, argumentsHash: hashArguments(tool, input) };
    return new EffectKey(stream, claim, await events.read(stream));
  }

  /** Where the outcome is recorded, if there is one. Refuses other arguments, and an effect that is under way elsewhere. */
  recorded(): { readonly run: string; readonly step: number; readonly index: number } | undefined {
    const last = this.#last?.data as (Claim & { index?: number }) | undefined;
    if (last === undefined || this.#last?.type === 'effect.released') return undefined;
    if (last.argumentsHash !== this.#claim.argumentsHash) {
      throw new OkaError(
        'engine.key_reused',
        `the idempotency key was used by run ${last.run} with other arguments; give this call a key of its own.`,
        { data: { run: last.run, step: last.step } },
      );
    }
    if (last.index !== undefined) return { run: last.run, step: last.step, index: last.index };
    if (last.run === this.#claim.run) return undefined;
    throw new OkaError(
      'engine.effect_under_way',
      `run ${last.run} is doing this already, or was cut off while it did; look at: oka runs show ${last.run}.`,
      { data: { run: last.run, step: last.step }, transient: true },
    );
  }

  /** Claims the key; the second time that it is asked for, somebody else may have been quicker. */
  claim = (): StreamAppend[] => {
    if (this.#asked) throw new KeyMoved();
    this.#asked = true;
    const events = [{ type: 'effect.claimed', data: { ...this.#claim } }];
    return [{ stream: this.#stream, expectedIndex: this.#end, events }];
  };

  /** Records where the outcome stands; `index` is its place in the run's stream. */
  record(index: number): StreamAppend {
    return { stream: this.#stream, events: [{ type: 'effect.recorded', data: { ...this.#claim, index } }] };
  }

  release(): StreamAppend {
    return { stream: this.#stream, events: [{ type: 'effect.released', data: { ...this.#claim } }] };
  }
}

/** The outcome that was recorded there; undefined when it was erased. */
export async function recordedOutput(
  events: EventStore,
  place: { readonly run: string; readonly index: number },
): Promise<Json | undefined> {
  const [event] = await events.read(runStream(place.run), place.index);
  return (event?.body as { output?: Json } | undefined)?.output;
}
