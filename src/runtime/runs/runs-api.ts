import type {
  OkaApi,
  ReplayAnswer,
  ReplayMode,
  ResumeRequest,
  RunAnswer,
  RunListItem,
} from '../../api/index.ts';
import { loadRun, type RunState, type StateGraph } from '../../engine/index.ts';
import { isOkaError } from '../../kernel/index.ts';
import type { OpenWorkspace } from '../services/open-workspace.ts';
import { viewExplanation } from '../services/views.ts';
import { toDriveOptions } from '../services/workspace-services.ts';
import { listRuns, runPagesApi } from './run-pages.ts';
import { keyedStart } from './start-key.ts';

const runParts = () => import('../services/run-parts.ts');
const simulations = () => import('./simulations.ts');

/** Returns the current definition of a run's graph, for `--repin`. */
type CurrentGraph = (run: RunState) => Promise<StateGraph | undefined>;

/** The runs of one workspace. */
export function runsApi(services: OpenWorkspace, currentGraph: CurrentGraph): OkaApi['runs'] {
  const { acting, backend, reading, answer, ledger } = services;
  const showSimulation = async (run: string) => (await simulations()).showSimulation(services, run);
  return {
    ...runPagesApi(services),
    list: async ({ status, limit, full }) => {
      const shown = status === undefined ? undefined : [status as RunListItem['status']];
      const items = await listRuns(services, { limit, shown });
      if (!full) return items;
      return Promise.all(
        items.map(async (item) => {
          if (!item.simulated) return (await answer(await loadRun(item.id, ledger()))).run;
          // An erased simulation has only its row.
          return (await showSimulation(item.id).catch(unlessErased))?.run ?? item;
        }),
      );
    },
    show: async (run) =>
      orSimulated(
        async () => answer(await loadRun(run, ledger())),
        () => showSimulation(run),
      ),
    explain: async (run) =>
      orSimulated(
        async () => {
          const engine = await reading();
          return viewExplanation(await engine.explain(run), (await answer(await engine.load(run))).run);
        },
        async () => (await simulations()).explainSimulation(services, run),
      ),
    replay: (run, mode) => replay(services, run, mode),
    export: async (run) => (await import('./export/export-run.ts')).exportRun(services, run),
    pause: async (run, by) => answer(await (await acting()).pause(run, by)),
    resume: (request) => resume(services, currentGraph, request),
    signal: async (run, event, payload, by) =>
      answer(await (await backend()).signal(run, event, payload, by)),
    fork: async (run, step, vars, patienceMs, key) => {
      const engine = await acting();
      await engine.load(run);
      const executing = await backend();
      await executing.admit();
      const request = { run, step, vars, ...(key === undefined ? {} : { key }) };
      const start = keyedStart('runs.fork', request);
      return answer(await executing.resume(await engine.fork(run, step, vars, start), { patienceMs }));
    },
    cancel: async (run, by, reason) => answer(await (await backend()).cancel(run, by, reason)),
    undo: async (run, by, force) => (await acting()).undo(run, by, { force }),
    changes: async (runs) => (await import('./run-changes.ts')).runChanges(await reading(), runs),
    correct: async (run, text, by) => answer(await (await acting()).correct(run, text, by)),
    pinDifferences: async (run) => (await (services.isTrusted() ? acting() : reading())).pinDifferences(run),
  };
}

const SIMULATED = 'This run was only simulated. It changed nothing.';

/** Reads a run, or the simulation that is kept under its ID. */
async function orSimulated<Answer>(
  real: () => Promise<Answer>,
  simulated: () => Promise<Answer | undefined>,
): Promise<Answer> {
  try {
    return await real();
  } catch (error) {
    const found = isOkaError(error, 'engine.run_simulated') ? await simulated() : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

function unlessErased(error: unknown): undefined {
  if (!isOkaError(error, 'engine.content_erased')) throw error;
}

async function replay(services: OpenWorkspace, id: string, mode: ReplayMode): Promise<ReplayAnswer> {
  const engine = await services.reading();
  const { narrate, replayFully } = await runParts();
  if (mode === 'narrative') {
    const narrative = await orSimulated(
      async () => narrate(await engine.explain(id)),
      async () => {
        const { explainRun, readSimulation } = await runParts();
        const found = await readSimulation(id, services.ledger().events);
        const explanation = found && explainRun(found.events);
        return explanation && [SIMULATED, ...narrate(explanation)];
      },
    );
    return { mode, equal: true, compared: 0, differences: [], notes: [], narrative };
  }
  const report =
    mode === 'decision'
      ? await engine.replayDecisions(id)
      : await replayFully(await engine.events(id), (await services.openDryRun()).options);
  return { ...report, mode, equal: report.differences.length === 0 };
}

async function resume(
  services: OpenWorkspace,
  currentGraph: CurrentGraph,
  request: ResumeRequest,
): Promise<RunAnswer> {
  const engine = await services.acting();
  const { parseBudgets } = await runParts();
  const amounts = parseBudgets(request.addBudgets);
  const { run, repin, by } = request;
  const backend = await services.backend();
  await backend.admit();
  return services.watching(request, run, async () => {
    if (Object.keys(amounts).length > 0) await engine.addBudget(run, amounts, by);
    const graph = repin ? await currentGraph(await engine.load(run)) : undefined;
    const options = { ...toDriveOptions(request), repin, by, ...(graph ? { graph } : {}) };
    return services.answer(await backend.resume(run, options));
  });
}
