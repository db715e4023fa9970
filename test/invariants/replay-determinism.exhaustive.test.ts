import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldRun } from '../../src/engine/fold-run.ts';
import type { RunState } from '../../src/engine/index.ts';
import type { LedgerEvent } from '../../src/ledger/index.ts';
import { playOnDisk } from './on-disk.ts';
import { type Happenings, scenarios } from './scenarios.ts';
import { holdsFor, ON_DISK } from './sequences.ts';
import { play, type World } from './world.ts';

/** As a snapshot would keep it. */
function plain(run: RunState | undefined): unknown {
  return run === undefined ? undefined : JSON.parse(JSON.stringify(run));
}

/** Checks every run of a world: the fold of its events is the run that the engine had, also from any point on. */
async function foldsToTheSame(world: World, cut: number): Promise<void> {
  for (const id of world.model.runs.keys()) {
    const events = await world.events(`run/${id}`);
    const folded = plain(foldRun(events));
    const live = world.live.get(id);
    if (live !== undefined && live.index === events.length - 1) expect(plain(live)).toEqual(folded);
    expect(plain(await world.desk.load(id))).toEqual(folded);
    const at = 1 + (cut % events.length);
    const snapshot = plain(
      foldRun(await world.events(`run/${id}`).then((all) => all.slice(0, at))),
    ) as RunState;
    expect(plain(foldRun(events.slice(at), snapshot))).toEqual(folded);
  }
}

async function decidesTheSame(world: World): Promise<void> {
  for (const id of world.model.runs.keys()) {
    const report = await world.desk.replayDecisions(id);
    expect(report.differences).toEqual([]);
  }
}

const ANYTHING: Happenings = {
  conduct: ['honest', 'failing', 'garbage', 'waiting', 'hostile'],
  moves: ['work', 'people', 'children', 'garbage', 'end'],
  policy: true,
  people: true,
  interventions: true,
  deaths: true,
  slowness: true,
  hiccups: true,
  rateLimits: true,
  snapshots: true,
};

const played = fc.record({ scenario: scenarios(ANYTHING), cut: fc.nat(60) });

it('folds a run from its events, also from a snapshot, and takes the same decisions on replay', async () => {
  await holdsFor(played, async ({ scenario, cut }) => {
    const world = await play(scenario);
    await foldsToTheSame(world, cut);
    await decidesTheSame(world);
  });
});

it('folds a run from its events on a real ledger', async () => {
  await holdsFor(
    played,
    ({ scenario, cut }) =>
      playOnDisk(scenario, async (world) => {
        await foldsToTheSame(world, cut);
        await decidesTheSame(world);
      }),
    ON_DISK,
  );
});

it('folds a run from its events, whatever planners and middleware do to their inputs', async () => {
  const sequences = fc.record({
    scenario: scenarios({
      moves: ['work', 'tamper', 'end'],
      conduct: ['honest', 'failing', 'hostile'],
      middleware: true,
      people: true,
    }),
    cut: fc.nat(60),
  });
  await holdsFor(sequences, async ({ scenario, cut }) => foldsToTheSame(await play(scenario), cut));
});

it('gives the same events for the same scenario', async () => {
  const texts = async (world: World): Promise<string[]> =>
    (await world.events()).map(
      (event: LedgerEvent) => `${event.chain} ${event.at} ${event.type} ${event.dataText} ${event.bodyText}`,
    );
  await holdsFor(scenarios({ ...ANYTHING, middleware: true, helper: true }), async (scenario) => {
    expect(await texts(await play(scenario))).toEqual(await texts(await play(scenario)));
  });
});

it('detects a planner that claims to be deterministic and is not', async () => {
  const sequences = fc.record({
    scenario: scenarios({ moves: ['work', 'people', 'end'], conduct: ['honest', 'failing'], people: true }),
    liar: fc.nat(20),
  });
  await holdsFor(sequences, async ({ scenario, liar }) => {
    const world = await play(scenario);
    const honest = await world.desk.replayDecisions('root');
    if (honest.compared === 0) return;
    const { planner } = [...world.desk.parts.kinds.values()][0] as {
      planner: { plan: (input: never) => unknown };
    };
    const plan = planner.plan;
    let asked = 0;
    const lied: number[] = [];
    planner.plan = (input) => {
      if (asked++ !== liar % honest.compared) return plan(input);
      lied.push((input as { run: { step: number } }).run.step);
      return { kind: 'fail', reason: 'something else this time', rationale: 'a whim' };
    };
    const report = await world.desk.replayDecisions('root');
    expect(report.differences.map(({ step }) => step)).toEqual(lied);
  });
});
