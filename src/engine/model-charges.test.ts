import fc from 'fast-check';
import { expect, it } from 'vitest';
import { call, finish, plannerOf, readTool, WORK_GRAPH } from '../../test/support/engine-kit.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { type EventStore, MemoryEventStore } from '../ledger/index.ts';
import { Engine } from './engine.ts';
import { type RunState, statusOf } from './run-state.ts';
import type { Decision } from './types.ts';

const ONE = { model_calls: 1, output_tokens: 100 };
const STEPS = 4;

/** Processes that work on one run, one after the other. Each dies at one of its instants: around commits and model calls. */
class Processes {
  readonly #clock = new ManualClock();
  readonly #events: EventStore = new MemoryEventStore({ clock: this.#clock, random: seededRandom(3) });
  readonly #limit: number;
  #instantsLeft = 0;
  #onDeath: () => void = () => undefined;
  #process = 0;
  /** The requests that the model has received. */
  requests = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Works until the run stops, or until the instant. */
  async work(instants: number): Promise<RunState | undefined> {
    this.#instantsLeft = instants;
    this.#process += 1;
    const died = new Promise<undefined>((resolve) => {
      this.#onDeath = () => resolve(undefined);
    });
    const engine = this.#engine(`process ${this.#process}`);
    const worked =
      this.#process === 1 || (await this.load()) === undefined
        ? engine.run({ kind: 'test', goal: 'a goal', id: 'one' })
        : engine.resume('one');
    return Promise.race([worked, died]);
  }

  load(): Promise<RunState | undefined> {
    return this.#engine('nobody')
      .load('one')
      .catch(() => undefined);
  }

  /** A dead process does nothing more. */
  #instant(): Promise<void> {
    this.#instantsLeft -= 1;
    if (this.#instantsLeft >= 0) return Promise.resolve();
    this.#onDeath();
    return new Promise(() => undefined);
  }

  async #askModel(): Promise<void> {
    await this.#instant();
    this.requests += 1;
    await this.#instant();
  }

  #engine(self: string): Engine {
    const planner = plannerOf(
      async ({ evidence, reserve }) => {
        await this.#askModel();
        // Every second call asks once more, as after a failed request.
        const again = evidence.length % 2 === 1 && (await reserve?.({ model_calls: 2 }));
        if (again) await this.#askModel();
        const model = { provider: 'test', model: 'test', spend: { model_calls: again ? 2 : 1 } };
        const last = evidence.filter(({ source }) => source === 'tool').length >= STEPS;
        return { ...(last ? finish() : call('ask', { n: evidence.length })), model } as unknown as Decision;
      },
      { deterministic: false, estimate: () => ONE },
    );
    const ask = readTool(
      'ask',
      async (_: never, context) => {
        await this.#askModel();
        context.charge({ model_calls: 1 });
        return this.requests;
      },
      { spends: () => ONE },
    );
    return new Engine({
      tools: [ask],
      kinds: [{ name: 'test', planner, graph: WORK_GRAPH }],
      events: this.#dying(),
      clock: this.#clock,
      limits: { model_calls: this.#limit },
      owners: { self, isAlive: (owner) => owner === self },
    });
  }

  #dying(): EventStore {
    return new Proxy(this.#events, {
      get: (target, name) => {
        const member = Reflect.get(target, name, target) as unknown;
        if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member;
        return async (commit: Parameters<EventStore['commit']>[0]) => {
          await this.#instant();
          const stored = await target.commit(commit);
          await this.#instant();
          return stored;
        };
      },
    });
  }
}

it('charges a run for the model call in which its process was killed', async () => {
  const processes = new Processes(10);
  // The start, the reservation, and the request.
  for (let instants = 1; processes.requests === 0; instants++) await processes.work(instants);
  await processes.work(Number.POSITIVE_INFINITY);
  const run = (await processes.load()) as RunState;
  expect(run.used.model_calls).toBeGreaterThanOrEqual(processes.requests);
});

it('charges every request that a model receives, and stays within the limit, wherever processes are killed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(30), { maxLength: 8 }),
      fc.integer({ min: 1, max: 14 }),
      async (kills, limit) => {
        const processes = new Processes(limit);
        for (const instants of kills) await processes.work(instants);
        await processes.work(Number.POSITIVE_INFINITY);
        const run = (await processes.load()) as RunState;
        expect(['completed', 'waiting']).toContain(statusOf(run));
        expect(processes.requests).toBeLessThanOrEqual(run.used.model_calls ?? 0);
        expect(run.used.model_calls ?? 0).toBeLessThanOrEqual(limit);
      },
    ),
    { numRuns: 150 },
  );
});
