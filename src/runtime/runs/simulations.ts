// Owns: driving a simulation, its report, and the simulated runs that are kept. See src/engine/simulation.ts.
import { isDiskRefusal } from '../../adapters/sqlite/index.ts';
import type { ExplainAnswer, RunAnswer, SimulationView } from '../../api/index.ts';
import {
  Engine,
  explainRun,
  foldRun,
  keepSimulation,
  type RunRequest,
  type RunState,
  readSimulation,
  type SimulatedEffect,
  type Simulation,
  simulatedCalls,
  statusOf,
} from '../../engine/index.ts';
import { groupBy, type Json } from '../../kernel/index.ts';
import type { LedgerEvent } from '../../ledger/index.ts';
import type { openDryRun } from '../services/open-engine.ts';
import type { TextListeners } from '../services/text-listeners.ts';
import { answerRun, viewExplanation } from '../services/views.ts';
import { toDriveOptions, type WatchOptions, type WorkspaceServices } from '../services/workspace-services.ts';
import { watchTree } from './watch-tree.ts';

const RUN_PREFIX = 'run/';
const NEXT = 'a simulation cannot be continued; start the run without --simulate';
const NEXT_FOR_POOL =
  'simulations cost what their models cost; raise the limit in config.json, or simulate again when it has more left';

/** The services of a workspace that can also open an engine without effects. */
type Services = WorkspaceServices & { readonly openDryRun: () => ReturnType<typeof openDryRun> };

type Report = Required<SimulationView>;

/** Simulates a run with its child runs, keeps it, and reports every effect that it would have. */
export async function simulateRun(
  services: Services,
  prepare: (engine: Engine) => Promise<RunRequest>,
  watching: WatchOptions & { readonly text: TextListeners },
): Promise<RunAnswer> {
  const { options, overlay } = await services.openDryRun();
  const recorded = services.ledger().events;
  const engine = new Engine({ ...options, simulate: true, recorded });
  const { events: simulated, runs: known, ids } = engine.parts;
  const id = ids.next();
  const run = await watchTree(
    { events: simulated, runs: known, text: watching.text },
    watching,
    id,
    async () =>
      engine.run({ ...(await prepare(engine)), id }, { ...toDriveOptions(watching), pausesOnAbort: false }),
  );
  const events = await engine.parts.events.readAfter(0, Number.MAX_SAFE_INTEGER);
  const streams = groupBy(
    events.filter(({ stream }) => stream.startsWith(RUN_PREFIX)),
    ({ stream }) => stream,
  );
  const runs = [...streams.values()].map((own) => ({ run: foldRun(own) as RunState, own }));
  const calls = simulatedCalls(
    [...streams.values()].flat().sort(bySeq),
    engine.parts.tools,
    engine.parts.capabilities,
  );
  const effects = calls.filter((call): call is SimulatedEffect => !('outcome' in call));
  const report = services.redactor.known({
    wouldChange: await overlay.changes(),
    effects,
    wouldFail: calls.filter((call) => 'outcome' in call),
    simulationNotes: notesOf(
      effects,
      runs.map((one) => one.run),
      services,
    ),
  } as unknown as Json) as unknown as Report;
  await keep(services, runs, report);
  return { ...answerSimulated(services, run), ...report };
}

function bySeq(a: LedgerEvent, b: LedgerEvent): number {
  return a.seq - b.seq;
}

/** What the person must know to read the report. */
function notesOf(
  effects: readonly SimulatedEffect[],
  runs: readonly RunState[],
  services: Services,
): string[] {
  const withheld = effects.filter((effect) => effect.withheld).length;
  const calls = withheld === 1 ? '1 call was' : `${withheld} calls were`;
  return [
    ...(withheld === 0 ? [] : [`${calls} not made. Later steps saw a placeholder instead of the result.`]),
    ...runs
      .filter(({ ended, waiting }) => ended === undefined && !isForChildren(waiting))
      .map(
        (run) =>
          `Run ${run.id} stopped in ${run.state}${waitOf(run, services)}. Its later steps, with their effects, were not simulated.`,
      ),
  ];
}

function waitOf(run: RunState, { owners }: Services): string {
  const { waitingFor } = answerRun(run, owners).run;
  return waitingFor === undefined ? '' : `, where it waits for ${waitingFor.detail}`;
}

function isForChildren(waiting: RunState['waiting']): boolean {
  return waiting?.for === 'outcome' && waiting.pending.kind === 'children';
}

async function keep(
  services: Services,
  runs: readonly { readonly run: RunState; readonly own: readonly LedgerEvent[] }[],
  report: Report,
): Promise<void> {
  try {
    const { events } = await services.writableRedacted();
    const appends = runs.map(({ run, own }) =>
      keepSimulation(run, own, run.lineage.root === run.id ? report : undefined),
    );
    await events.commit({ actor: 'engine', sync: 'full', appends });
  } catch (error) {
    if (!isDiskRefusal(error)) throw error;
    services.warn(
      `The simulation is not kept, because the workspace cannot be written: ${(error as Error).message}`,
    );
  }
}

function answerSimulated(services: Services, run: RunState): RunAnswer {
  const { run: view, output } = answerRun(run, services.owners);
  const { ownerAlive: _, waitingFor, ...rest } = { ...view, status: statusOf(run) };
  return {
    run: {
      ...rest,
      // Their content ended with the simulation.
      artifacts: [],
      simulated: true,
      ...(waitingFor === undefined
        ? {}
        : { waitingFor: { what: waitingFor.what, detail: waitingFor.detail, next: nextOf(run) } }),
    },
    output,
  };
}

function nextOf({ waiting }: RunState): string {
  const isShared = waiting?.for === 'budget' && /^(?:day|conversation)\//.test(waiting.pool ?? '');
  return isShared ? NEXT_FOR_POOL : NEXT;
}

/** The kept simulation as `runs show` answers it; undefined if no simulation has this ID. */
export async function showSimulation(services: Services, id: string): Promise<RunAnswer | undefined> {
  const found = await readSimulation(id, services.ledger().events);
  return found && { ...answerSimulated(services, found.run), ...(await reportOf(services, found)) };
}

/** The kept simulation as `runs explain` answers it; undefined if no simulation has this ID. */
export async function explainSimulation(services: Services, id: string): Promise<ExplainAnswer | undefined> {
  const found = await readSimulation(id, services.ledger().events);
  const explanation = found && explainRun(found.events);
  if (found === undefined || explanation === undefined) return undefined;
  return {
    ...viewExplanation(explanation, answerSimulated(services, found.run).run),
    artifacts: [],
    ...(await reportOf(services, found)),
  };
}

/** The report of the tree; a child run shows its own effects of it. */
async function reportOf(services: Services, { run, report }: Simulation): Promise<SimulationView> {
  if (report !== undefined) return report as unknown as Report;
  const root = await readSimulation(run.lineage.root, services.ledger().events);
  const { effects = [], wouldFail = [] } = (root?.report ?? {}) as unknown as Partial<Report>;
  const isOwn = (call: { readonly run: string }): boolean => call.run === run.id;
  return { effects: effects.filter(isOwn), wouldFail: wouldFail.filter(isOwn) };
}
