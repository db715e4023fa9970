import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { call, finish, plannerOf, readTool, WORK_GRAPH } from '../../../test/support/engine-kit.ts';
import { ManualClock, settle } from '../../../test/support/manual-clock.ts';
import { seededRandom } from '../../../test/support/seeded-random.ts';
import { type Decision, Engine, PendingAnswer, type RunSummary } from '../../engine/index.ts';
import { type EventStore, MemoryEventStore } from '../../ledger/index.ts';
import { UnfinishedRuns } from './unfinished-runs.ts';

/** What a run does, in order: reads, waits for seconds, asks a person, or starts children. */
type Step = 'read' | 'ask' | 'hang' | { readonly rest: number } | { readonly children: readonly Program[] };
type Program = readonly Step[];

const { program } = fc.letrec<{ program: Program; step: Step }>((tie) => ({
  program: fc.array(tie('step'), { maxLength: 4 }),
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: fc.constant<Step>('read'), weight: 4 },
    { arbitrary: fc.integer({ min: 1, max: 90 }).map((rest): Step => ({ rest })), weight: 3 },
    { arbitrary: fc.constant<Step>('ask'), weight: 1 },
    {
      arbitrary: fc
        .array(tie('program'), { minLength: 1, maxLength: 3 })
        .map((children): Step => ({ children })),
      weight: 1,
    },
  ),
}));

/** The model: a program ends if no step of it or of its children waits for a person. */
function ends(steps: Program): boolean {
  return steps.every((step) =>
    typeof step === 'string' ? step !== 'ask' : 'rest' in step || step.children.every(ends),
  );
}

const planner = plannerOf(({ goal, evidence }): Decision => {
  const step = (JSON.parse(goal) as Program)[evidence.length];
  if (step === undefined) return finish();
  if (step === 'ask') return { kind: 'ask_human', question: 'ok?', rationale: 'test' };
  if (step === 'read' || step === 'hang') return call(step, evidence.length);
  return 'rest' in step ? call('rest', step.rest) : call('spawn', step.children);
});

class World {
  readonly clock = new ManualClock();
  readonly store = new MemoryEventStore({ clock: this.clock, random: seededRandom(1) });
  readonly warnings: string[] = [];
  readonly #alive = new Set<string>();
  leavesInterrupted = false;

  /** A process that continues what is unfinished. It dies at a commit, if given. */
  enter(name: string, diesAt = Number.POSITIVE_INFINITY) {
    this.#alive.add(name);
    const isDead = (): boolean => !this.#alive.has(name);
    const events = dying(this.store, diesAt, isDead, () => this.#alive.delete(name));
    const owners = { self: name, isAlive: (owner: string) => this.#alive.has(owner) };
    const { clock } = this;
    const tools = [
      readTool('read', () => 'read'),
      readTool('hang', () => new Promise(() => undefined)),
      readTool(
        'rest',
        (seconds: number) => new PendingAnswer({ kind: 'timer', at: clock.now() + seconds * 1_000 }),
      ),
      readTool('spawn', (programs: Program[]) => {
        const children = programs.map((steps) => ({ kind: 'test', goal: JSON.stringify(steps) }));
        return new PendingAnswer({ kind: 'children', children });
      }),
    ];
    const kinds = [{ name: 'test', planner, graph: WORK_GRAPH }];
    const engine = new Engine({ tools, kinds, events, clock, owners });
    const unfinished = new UnfinishedRuns({
      ...{ engine, events, owners, clock, runs: engine.parts.runs },
      ofTurns: async () => new Set(),
      leavesInterrupted: async () => this.leavesInterrupted,
      ...{ onEnded: () => undefined, onDriven: () => undefined, onLooked: () => undefined },
      onWarning: (run, error) => {
        if (!isDead()) this.warnings.push(`${run}: ${(error as Error).message}`);
      },
    });
    unfinished.start();
    return { engine, unfinished, isDead, die: () => this.#alive.delete(name) };
  }

  /** Lets time pass until nothing has changed for two minutes. */
  async pass(until: () => boolean = () => false): Promise<void> {
    for (let last = this.clock.now(), seq = -1; this.clock.now() - last < 120_000 && !until(); ) {
      await settle(30);
      const head = (await this.store.head()).seq;
      if (head !== seq) {
        [last, seq] = [this.clock.now(), head];
        continue;
      }
      this.clock.advanceToNext();
    }
  }
}

/** The events of a process. After `diesAt` commits it is gone: nothing it does arrives any more. */
function dying(store: EventStore, diesAt: number, isDead: () => boolean, die: () => void): EventStore {
  let commits = 0;
  return new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name, target) as unknown;
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member;
      return async (commit: Parameters<EventStore['commit']>[0]) => {
        if (isDead()) throw new Error('the process is gone');
        const stored = await target.commit(commit);
        commits += 1;
        if (commits >= diesAt) die();
        return stored;
      };
    },
  });
}

function isForPerson({ status, waitsFor }: RunSummary): boolean {
  return status === 'waiting' && waitsFor === 'answer';
}

describe('unfinished runs', () => {
  it('end by themselves unless they wait for a person, whenever processes die', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(program, { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 2 }),
        async (programs, deaths) => {
          const world = new World();
          const lives = [...deaths, Number.POSITIVE_INFINITY].map((diesAt, i) => ({ name: `p${i}`, diesAt }));
          for (const [i, { name, diesAt }] of lives.entries()) {
            const { engine, unfinished, isDead, die } = world.enter(name, diesAt);
            // The first process starts the runs, as an API does that waits for nothing.
            if (i === 0)
              for (const steps of programs)
                void engine
                  .run({ kind: 'test', goal: JSON.stringify(steps) }, { patienceMs: 0 })
                  .catch(() => undefined);
            await world.pass(isDead);
            const runs = await engine.parts.runs.list({});
            if (i === lives.length - 1) {
              for (const run of runs.filter(({ parent }) => parent === undefined))
                expect([run.goal, run.status]).toEqual([
                  run.goal,
                  ends(JSON.parse(run.goal)) ? 'completed' : 'waiting',
                ]);
              for (const run of runs)
                expect(run.endedAt !== undefined || isForPerson(run) || run.waitsFor === 'children').toBe(
                  true,
                );
              expect(world.warnings).toEqual([]);
            }
            die();
            await unfinished.stop();
          }
        },
      ),
      { numRuns: Number(process.env['OKA_CASES'] ?? 40) },
    );
  });

  it('that end their process three times in one step are left to a person', async () => {
    const world = new World();
    for (const name of ['a', 'b', 'c']) {
      const { engine, die } = world.enter(name);
      if (name === 'a') void engine.run({ kind: 'test', goal: '["hang"]' }).catch(() => undefined);
      await claimedBy(engine, name);
      die();
    }
    const { engine, die } = world.enter('last');
    await world.pass();
    expect(await engine.parts.runs.list({})).toMatchObject([{ status: 'running', owner: 'c' }]);
    expect(world.warnings[0]).toMatch(/Its process ended 3 times in step 1\. .* oka runs resume/);
    die();
  });
});

async function claimedBy(engine: Engine, owner: string): Promise<void> {
  for (let i = 0; i < 200; i++) {
    const [run] = await engine.parts.runs.list({});
    if (run?.owner === owner || run?.endedAt !== undefined) return;
    await settle(5);
  }
  throw new Error(`${owner} did not claim the run`);
}
