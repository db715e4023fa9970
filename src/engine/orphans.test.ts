import { expect, it } from 'vitest';
import { call, finish, plannerOf, readTool, WORK_GRAPH } from '../../test/support/engine-kit.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { type EventStore, MemoryEventStore } from '../ledger/index.ts';
import { Engine } from './engine.ts';
import type { Planner } from './planner.ts';
import { runStream } from './run-events.ts';
import { PendingAnswer } from './tool.ts';
import type { Decision, RunId } from './types.ts';

const ROOT = 'root';
const run = { kind: 'test', goal: ROOT, id: ROOT };
const ASK: Decision = { kind: 'ask_human', question: 'ok?', rationale: '' };
const clock = new ManualClock();
const FAIL: Decision = { kind: 'fail', reason: 'it fails', rationale: '' };

/** Starts child runs, one after the other: `spawn a,b` starts the children a and b. */
const spawn = readTool(
  'spawn',
  (goals: string) =>
    new PendingAnswer({
      kind: 'children',
      children: goals.split(',').map((goal) => ({ kind: 'test', goal })),
      concurrency: 1,
    }),
);

/** `asking` waits for a person, `failing` fails; any other run starts children first, and then does what `ends` says. */
function family(children: Record<string, string>, ends: Decision): Planner {
  return plannerOf(({ goal, evidence }) => {
    if (goal === 'asking') return ASK;
    if (goal === 'failing') return FAIL;
    return evidence.length === 0 ? call('spawn', children[goal]) : ends;
  });
}

const newStore = (): EventStore => new MemoryEventStore({ clock, random: seededRandom(3) });

function process(name: string, planner: Planner, events: EventStore): Engine {
  return new Engine({
    tools: [spawn],
    kinds: [{ name: 'test', planner, graph: WORK_GRAPH }],
    events,
    clock,
    owners: { self: name, isAlive: (owner) => owner === name },
  });
}

/** A store whose process dies right after it has stored an event of this type. */
function dyingAfter(store: EventStore, type: string, isLast: (stream: string) => boolean): EventStore {
  let isDead = false;
  return new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name, target) as unknown;
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member;
      return async (commit: Parameters<EventStore['commit']>[0]) => {
        if (isDead) throw new Error('the process is gone');
        const stored = await target.commit(commit);
        isDead = stored.some((event) => event.type === type && isLast(event.stream));
        return stored;
      };
    },
  });
}

async function openRuns(engine: Engine): Promise<readonly string[]> {
  const all = await engine.parts.runs.list({});
  return all
    .filter(({ endedAt }) => endedAt === undefined)
    .map(({ goal }) => goal)
    .sort();
}

it.each([
  ['completed', finish()],
  ['failed', FAIL],
])(
  'children left by a run are ended when it is resumed, even if its process died as it %s',
  async (how, end) => {
    const store = newStore();
    const planner = family({ [ROOT]: 'asking,failing' }, end);
    const isRoot = (stream: string): boolean => stream === runStream(ROOT as RunId);
    const first = process('first', planner, dyingAfter(store, `run.${how}`, isRoot));
    await expect(first.run(run)).rejects.toThrow('the process is gone');
    const second = process('second', planner, store);
    expect(await openRuns(second)).toEqual(['asking']);
    await second.resume(ROOT);
    expect(await openRuns(second)).toEqual([]);
  },
);

it('children left by a run are ended even if it starts others and waits for them', async () => {
  const planner = plannerOf(({ goal, evidence }) => {
    if (goal === ROOT) return call('spawn', evidence.length === 0 ? 'asking,failing' : 'also asking');
    return goal === 'failing' ? FAIL : ASK;
  });
  const engine = process('first', planner, newStore());
  await engine.run(run);
  expect(await openRuns(engine)).toEqual(['also asking', ROOT]);
});

it('children of a cancelled run are ended before it is continued, even if its process died while cancelling', async () => {
  const store = newStore();
  const planner = family({ [ROOT]: 'asking' }, finish());
  const first = process('first', planner, store);
  await first.run(run);
  const [child] = await first.parts.runs.list({ parent: ROOT as RunId });
  const dying = process(
    'first',
    planner,
    dyingAfter(store, 'run.cancelled', () => true),
  );
  await expect(dying.cancel(ROOT, 'ann', 'enough')).rejects.toThrow('the process is gone');
  const second = process('second', planner, store);
  await second.resume(ROOT);
  expect((await second.load(child?.id ?? '')).ended?.status).toBe('cancelled');
  expect(await openRuns(second)).toEqual(['asking', ROOT]);
});

it('grandchildren left by a child are ended with the root run, even if the process died as the child ended', async () => {
  const store = newStore();
  const planner = family({ [ROOT]: 'middle', middle: 'asking,failing' }, finish());
  const first = process(
    'first',
    planner,
    dyingAfter(store, 'run.completed', () => true),
  );
  await expect(first.run(run)).rejects.toThrow('the process is gone');
  const second = process('second', planner, store);
  expect(await openRuns(second)).toEqual(['asking', ROOT]);
  await second.resume(ROOT);
  expect(await openRuns(second)).toEqual([]);
});
