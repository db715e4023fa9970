import type { OkaApi, ReplayAnswer, ReplayMode, ResumeRequest, RunAnswer, RunView } from '../../api/index.ts';
import { loadRun, type RunState, type RunSummary, type StateGraph } from '../../engine/index.ts';
import type { OpenWorkspace } from '../services/open-workspace.ts';
import { viewExplanation, viewListItem } from '../services/views.ts';
import { toDriveOptions } from '../services/workspace-services.ts';
import { continueRun } from './continue-run.ts';

const heavyParts = () => import('../services/heavy-parts.ts');

/** Returns the current definition of a run's graph, for `--repin`. */
type CurrentGraph = (run: RunState) => Promise<StateGraph | undefined>;

/** The runs of one workspace. */
export function runsApi(services: OpenWorkspace, currentGraph: CurrentGraph): OkaApi['runs'] {
  const { acting, reading, answer, owners, ledger } = services;
  return {
    list: async ({ status, limit, full }) => {
      const filter = { limit, ...(status === undefined ? {} : { status: status as 'running' }) };
      const runs = await ledger().runs.list(filter);
      const view = async ({ id }: RunSummary): Promise<RunView> =>
        (await answer(await loadRun(id, ledger()))).run;
      if (full) return Promise.all(runs.map(view));
      return Promise.all(
        runs.map(async (run) => {
          const waits = run.status === 'waiting' ? (await view(run)).waitingFor : undefined;
          return viewListItem(run, owners, waits);
        }),
      );
    },
    show: async (run) => answer(await loadRun(run, ledger())),
    explain: async (run) => {
      const engine = await reading();
      return viewExplanation(await engine.explain(run), (await answer(await engine.load(run))).run);
    },
    replay: (run, mode) => replay(services, run, mode),
    pause: async (run, by) => answer(await (await acting()).pause(run, by)),
    resume: (request) => resume(services, currentGraph, request),
    signal: async (run, event, payload, by) => {
      const engine = await acting();
      const signalled = await engine.signal(run, event, payload, by);
      if (signalled.owner !== undefined) return answer(signalled);
      return answer(await continueRun(engine, run, { by, patienceMs: 0 }));
    },
    fork: async (run, step, vars, patienceMs) => {
      const engine = await acting();
      await engine.load(run);
      return answer(await engine.resume(await engine.fork(run, step, vars), { patienceMs }));
    },
    cancel: async (run, by, reason) => answer(await (await acting()).cancel(run, by, reason)),
    undo: async (run, by, force) => (await acting()).undo(run, by, { force }),
    correct: async (run, text, by) => answer(await (await acting()).correct(run, text, by)),
    pinDifferences: async (run) => (await (services.isTrusted() ? acting() : reading())).pinDifferences(run),
  };
}

async function replay(services: OpenWorkspace, id: string, mode: ReplayMode): Promise<ReplayAnswer> {
  const engine = await services.reading();
  const { narrate, replayFully } = await heavyParts();
  if (mode === 'narrative') {
    const narrative = narrate(await engine.explain(id));
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
  const { parseBudgets } = await heavyParts();
  const amounts = parseBudgets(request.addBudgets);
  const { run, repin, by } = request;
  return services.watching(request, run, async () => {
    if (Object.keys(amounts).length > 0) await engine.addBudget(run, amounts, by);
    const graph = repin ? await currentGraph(await engine.load(run)) : undefined;
    const options = { ...toDriveOptions(request), repin, by, ...(graph ? { graph } : {}) };
    return services.answer(await engine.resume(run, options));
  });
}
