import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type BudgetLimits,
  type Decision,
  Engine,
  MemoryArtifactStore,
  MemoryRunStore,
  type PlanInput,
  type Planner,
  runProjection,
  type Spend,
} from '../src/engine/index.ts';
import { OkaError } from '../src/kernel/index.ts';
import { MemoryEventStore } from '../src/ledger/index.ts';
import { answerLimit, type ModelPrice, reservationFor } from '../src/models/index.ts';
import { childrenTool } from './invariants/children-tool.ts';
import { MortalStore, ProcessGone } from './invariants/mortal-store.ts';
import { CHILDREN_TOOL } from './invariants/planners.ts';
import { holdsFor } from './invariants/sequences.ts';
import { call, finish, readTool, WORK_GRAPH } from './support/engine-kit.ts';
import { ManualClock } from './support/manual-clock.ts';
import { seededRandom } from './support/seeded-random.ts';

const NAMES = ['model_calls', 'input_tokens', 'output_tokens', 'cost_usd'] as const;

/** What one run of a tree does at each of its steps: it calls a model, which answers or fails, and goes on. */
interface Plan {
  readonly steps: readonly {
    readonly inputTokens: number;
    /** The share of the largest possible answer that the model uses. */
    readonly share: number;
    readonly fails: 'no' | 'unreached' | 'halfway' | 'unusable' | 'stopped';
  }[];
  readonly children: readonly Plan[];
  readonly limits: BudgetLimits;
}

interface Scenario {
  readonly price: ModelPrice;
  readonly tree: Plan;
  readonly limits: BudgetLimits;
  readonly day: number;
  /** After how many commits each process dies. */
  readonly deaths: readonly { readonly atCommit: number; readonly stored: boolean }[];
  readonly gift: number;
}

const amount = (max: number): fc.Arbitrary<number> => fc.integer({ min: 0, max });
const dollars = (most: number): fc.Arbitrary<number> => amount(1_000).map((part) => (part * most) / 1_000);
const limits: fc.Arbitrary<BudgetLimits> = fc.record(
  {
    cost_usd: dollars(1),
    output_tokens: amount(200_000),
    input_tokens: amount(20_000),
    model_calls: amount(12),
  },
  { requiredKeys: [] },
);
const { tree } = fc.letrec<{ tree: Plan }>((tie) => ({
  tree: fc.record({
    steps: fc.array(
      fc.record({
        inputTokens: fc.integer({ min: 1, max: 2_000 }),
        share: amount(100).map((percent) => percent / 100),
        fails: fc.constantFrom(
          'no',
          'no',
          'no',
          'no',
          'unusable',
          'unreached',
          'halfway',
          'stopped',
        ) as fc.Arbitrary<'no'>,
      }),
      { maxLength: 4 },
    ),
    children: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constant([]),
      fc.array(tie('tree'), { maxLength: 3 }),
    ),
    limits,
  }),
}));
const scenarios: fc.Arbitrary<Scenario> = fc.record({
  price: fc.record({
    input: dollars(5),
    output: dollars(20),
  }),
  tree,
  limits,
  day: dollars(5),
  deaths: fc.array(fc.record({ atCommit: fc.integer({ min: 1, max: 30 }), stored: fc.boolean() }), {
    maxLength: 3,
  }),
  gift: dollars(1),
});

/**
 * A planner whose model costs what the provider would charge, never more than the request allows. `stop` stops the process in a
 * model call; it answers false when it has stopped one there before.
 */
function plannerFor(price: ModelPrice, stop: (call: string) => boolean): Planner {
  const stepOf = ({ vars, evidence }: PlanInput) => {
    const plan = vars['plan'] as unknown as Plan;
    const done = evidence.filter(({ tool }) => tool === 'note').length;
    return { plan, done, step: plan.steps[done] };
  };
  return {
    name: 'spender',
    version: '1',
    deterministic: false,
    estimate(input, left) {
      const { step } = stepOf(input);
      return step === undefined ? {} : { ...reservationFor(step.inputTokens, { price }, left) };
    },
    plan(input): Decision {
      const { plan, done, step } = stepOf(input);
      if (step === undefined) {
        const started = input.evidence.some(({ tool }) => tool === CHILDREN_TOOL);
        if (started || plan.children.length === 0) return finish();
        const children = plan.children.map((child) => ({
          kind: 'spender',
          goal: 'child',
          vars: { plan: child },
          budgets: child.limits,
        }));
        return call(CHILDREN_TOOL, { children, concurrency: 2, onError: 'collect' });
      }
      const most = answerLimit(input.reserved)?.maxOutputTokens ?? 128_000;
      const output = Math.floor(most * (step.fails === 'halfway' ? step.share / 2 : step.share));
      const spend = {
        model_calls: 1,
        input_tokens: step.inputTokens,
        output_tokens: output,
        cost_usd: (step.inputTokens * price.input + output * price.output) / 1_000_000,
      };
      if (step.fails === 'stopped' && stop(`${input.run.id} ${done}`)) throw new Error('Stopped.');
      if (step.fails === 'unreached') throw new OkaError('models.request_failed', 'Refused.');
      if (step.fails === 'halfway') throw new OkaError('models.stream_cut', 'Cut.', { data: { spend } });
      if (step.fails === 'unusable' && input.repair === undefined)
        throw new OkaError('engine.invalid_decision', 'no JSON', { data: { spend } });
      const model = { provider: 'p', model: 'm', requestDigest: 'd' as never, spend };
      return { ...call('note', { done }), model } as Decision;
    },
  };
}

it('never spends more than any limit up to the root, and charges or releases every reservation', async () => {
  await holdsFor(
    scenarios,
    async ({ price, tree: plan, limits: ofRoot, day, deaths, gift }) => {
      const clock = new ManualClock();
      const store = new MemoryEventStore({ clock, random: seededRandom(1), projections: [runProjection] });
      const runs = new MemoryRunStore(store.tables);
      const artifacts = new MemoryArtifactStore(clock);
      const note = readTool('note', () => 'noted');
      const stopped = new Set<string>();
      let leave = new AbortController();
      const stop = (place: string): boolean => {
        if (stopped.has(place)) return false;
        stopped.add(place);
        leave.abort();
        return true;
      };
      let life = 0;
      const open = (death?: { atCommit: number; stored: boolean }) => {
        life += 1;
        const events = new MortalStore(store, {
          death: death && { ...death, how: 'refusing' },
          hiccups: [],
          onUse: () => undefined,
          slowness: 0,
        });
        const self = `process ${life}`;
        return new Engine({
          tools: [note, childrenTool],
          kinds: [{ name: 'spender', planner: plannerFor(price, stop), graph: WORK_GRAPH }],
          ...{ clock, events, runs, artifacts },
          random: seededRandom(100 + life),
          owners: { self, isAlive: (owner) => owner === self },
          pools: () => [{ name: 'day/one', limits: { cost_usd: day } }],
        });
      };
      const request = {
        kind: 'spender',
        goal: 'root',
        vars: { plan: plan as never },
        budgets: ofRoot,
        id: 'root',
      };
      // A run that was stopped is continued.
      const lives = [...deaths, undefined, undefined];
      let given = 0;
      for (const death of lives) {
        const engine = open(death);
        const known = await store.read('run/root');
        leave = new AbortController();
        const { signal } = leave;
        const drive =
          known.length === 0 ? engine.run(request, { signal }) : engine.resume('root', { signal });
        await drive.catch((error: unknown) => {
          if (!(error instanceof ProcessGone)) throw error;
        });
        await engine.close().catch(() => undefined);
        check(await all());
      }
      const engine = open();
      const waiting = (await all()).find(
        ({ waiting: why }) => why?.for === 'budget' && why.pool === undefined,
      );
      if (waiting !== undefined) {
        given = gift;
        await engine.addBudget(waiting.id, { cost_usd: gift }, 'ann');
        await engine.resume(waiting.id);
        check(await all());
      }
      await requireSettled();

      async function all() {
        const listed = await runs.list({});
        return Promise.all(listed.map(({ id }) => open().load(id)));
      }

      function check(states: Awaited<ReturnType<typeof all>>): void {
        const below = (id: string): Spend => {
          const own = states.find((state) => state.id === id);
          const total: Record<string, number> = {};
          for (const name of NAMES) total[name] = (own?.used[name] ?? 0) - (own?.childrenUsed[name] ?? 0);
          for (const child of states.filter(({ lineage }) => lineage.parent === id))
            for (const [name, spent] of Object.entries(below(child.id)))
              total[name] = (total[name] ?? 0) + spent;
          return total;
        };
        for (const state of states) {
          const used = below(state.id);
          for (const name of NAMES) {
            const limit = state.limits[name];
            if (limit !== undefined)
              expect((used[name] ?? 0) - limit, `${state.id} ${name}`).toBeLessThan(1e-9);
          }
        }
        expect((below('root').cost_usd ?? 0) - day).toBeLessThan(1e-9);
        expect(given).toBeLessThanOrEqual(gift);
      }

      async function requireSettled(): Promise<void> {
        const states = await all();
        const held = new Map<string, number>();
        let charged = 0;
        for (const { type, data } of await store.read('budget/day/one')) {
          const { run, amounts } = data as unknown as { run: string; amounts: Spend };
          if (type === 'pool.reserved') held.set(run, amounts.cost_usd ?? 0);
          else {
            held.delete(run);
            charged += amounts.cost_usd ?? 0;
          }
        }
        // A run that nobody has resumed since its process died keeps its reservation.
        const idle = states.filter(({ ended, waiting: why }) => ended !== undefined || why !== undefined);
        for (const { id } of idle) expect(held.has(id), `${id} holds a reservation`).toBe(false);
        if (idle.length < states.length) return;
        // A run that continues a failed one begins with what that one has used.
        const costOf = (id: string | undefined): number =>
          states.find((state) => state.id === id)?.used.cost_usd ?? 0;
        const spent = states.reduce(
          (sum, { id, lineage, childrenUsed }) =>
            sum + costOf(id) - (childrenUsed.cost_usd ?? 0) - costOf(lineage.resumedFrom),
          0,
        );
        expect(charged).toBeCloseTo(spent, 9);
      }
    },
    { few: 20, whole: 3_000 },
  );
}, 600_000);
