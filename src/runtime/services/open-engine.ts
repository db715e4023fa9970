import { OverlayFiles, WorkspaceFiles } from '../../adapters/files/index.ts';
import { commandHooks } from '../../adapters/processes/index.ts';
import { SqlCache } from '../../adapters/sql/index.ts';
import { isDiskRefusal, SqliteRateGate } from '../../adapters/sqlite/index.ts';
import { GrantFiles, openKnownPrograms } from '../../adapters/workspace/index.ts';
import { policyRefusals, recallProcedures } from '../../assistant/index.ts';
import { chainPrivilege } from '../../chat/index.ts';
import type { OkaConfig } from '../../config/index.ts';
import {
  type ArtifactStore,
  Engine,
  type EngineOptions,
  hostsNamedBy,
  MemoryArtifactStore,
  MemoryRunStore,
  parseBudgets,
  type Recall,
  type RunStatus,
  type RunStore,
  runProjection,
  type Tool,
} from '../../engine/index.ts';
import { graphStateProjection, MemoryGraphStateStore } from '../../graph/index.ts';
import { type EventStore, MemoryEventStore } from '../../ledger/index.ts';
import type { ReadPackText } from '../../memory/index.ts';
import {
  type GraphRunner,
  type ModelText,
  type Processes,
  type ProgramOutput,
  type RefusalReader,
  type StateReader,
  type WorkReader,
  watchFiles,
} from '../../tools/index.ts';
import { openArtifacts } from '../ledger/open-artifacts.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { assistantProcedures } from '../memory/procedures.ts';
import { definedPrograms } from '../process/open-processes.ts';
import { requireSandbox } from '../process/require-sandbox.ts';
import { workReader } from '../runs/run-changes.ts';
import { liveModels } from '../trust/live-config.ts';
import { spendingPools } from './configured-pools.ts';
import { loadBehaviour } from './extensions.ts';
import type { TextListeners } from './text-listeners.ts';
import { toolCapabilities } from './tool-capabilities.ts';
import { dryRunCapabilities, workspaceCapabilities } from './workspace-capabilities.ts';
import type { WorkspaceServices } from './workspace-services.ts';

/** Where models' text and programs' output go while they arrive. */
type LiveText = Pick<TextListeners, 'emit' | 'emitActivity'>;

/** An engine that acts on the workspace and records in its ledger. */
export async function openEngine(services: WorkspaceServices, live: LiveText): Promise<Engine> {
  const { folder, clock, owners, redactor, home } = services;
  const ledger = services.ledger();
  const artifacts = openArtifacts(services, ledger);
  const files = new WorkspaceFiles(folder.workspace);
  const moreTools = await services.liveTools.open();
  const { config, ...shared } = await sharedOptions(services, { artifacts, files, moreTools, live });
  const telemetry = await services.telemetry();
  const engine = new Engine({
    ...shared,
    capabilities: { ...shared.capabilities, ...(await workspaceCapabilities(services)) },
    events: telemetry?.events(ledger.events) ?? ledger.events,
    ...(telemetry && { telemetry: telemetry.telemetry }),
    runs: ledger.runs,
    cache: new SqlCache(ledger.tables, clock),
    grants: new GrantFiles(home, folder.identity(), clock),
    programs: openKnownPrograms(home, folder.identity(), clock),
    hooks: services.hooks.open(config, (hooks) =>
      commandHooks(hooks, { redactor, launch: definedPrograms(services, config).hook }),
    ),
    owners,
    rateGate: ledger.shared?.rateGate ?? new SqliteRateGate(ledger.database, clock),
    pools: spendingPools(config, ledger),
  });
  const { tools } = engine.parts;
  telemetry?.follow(ledger.events, { runs: ledger.runs, isTool: (name) => tools.get(name) !== undefined });
  return engine;
}

/** An engine whose effects stay in this process: an overlay holds its file changes, memory its events. */
export async function openDryRun(
  services: WorkspaceServices,
  live: LiveText,
): Promise<{ options: EngineOptions; overlay: OverlayFiles }> {
  const { folder, clock, random } = services;
  const overlay = new OverlayFiles(new WorkspaceFiles(folder.workspace));
  const artifacts = new MemoryArtifactStore(clock, openArtifacts(services, services.ledger()));
  const pools = await dryRunPools(services);
  const moreTools = await services.moreTools();
  const { config: _, ...shared } = await sharedOptions(services, {
    artifacts,
    files: overlay,
    moreTools,
    live,
  });
  const options = { ...shared, ...pools };
  const projections = [runProjection, graphStateProjection];
  const events = new MemoryEventStore({ clock, random, projections });
  const written = new MemoryGraphStateStore(events.tables);
  const real = stateReader(services.ledger());
  const get: StateReader['get'] = async (graph, key) =>
    (await written.get(graph, key)) ?? (await real.get(graph, key));
  const known = await dryRunCapabilities(services, events);
  const runs = new MemoryRunStore(events.tables);
  const capabilities = {
    ...options.capabilities,
    ...known,
    ...workReaders({ runs, events }),
    state: { ...real, get },
  };
  return { options: { ...options, capabilities, events, runs }, overlay };
}

/** Reads the ledger for state tools. */
function stateReader(ledger: OpenLedger): StateReader {
  return {
    get: (graph, key) => ledger.graphState.get(graph, key),
    priorRuns: async ({ graph, except, limit, status }) => {
      const found = await ledger.runs.list({
        subject: graph,
        limit: limit + 1,
        ...(status === undefined ? {} : { status: status as RunStatus }),
      });
      return found
        .filter(({ id }) => id !== except)
        .slice(0, limit)
        .map(({ id, status, startedAt, endedAt, failureCode }) => ({
          id,
          status,
          startedAt,
          ...(endedAt === undefined ? {} : { endedAt }),
          ...(failureCode === undefined ? {} : { failureCode }),
        }));
    },
  };
}

type Stores = { readonly runs: Pick<RunStore, 'list' | 'get'>; readonly events: Pick<EventStore, 'read'> };

/** Reads what the child runs of a run did. */
function workReaders(stores: Stores): { readonly refusals: RefusalReader; readonly work: WorkReader } {
  return { refusals: refusalReader(stores), work: workReader(stores) };
}

/** Reads the policy refusals of a run's descendants. */
function refusalReader({ runs, events }: Stores): RefusalReader {
  const below: RefusalReader['below'] = async (run) => {
    const found: Awaited<ReturnType<typeof below>>[number][] = [];
    for (const { id } of await runs.list({ parent: run }))
      found.push(...policyRefusals(await events.read(`run/${id}`)), ...(await below(id)));
    return found;
  };
  return { below };
}

async function sharedOptions(
  services: WorkspaceServices,
  {
    artifacts,
    files,
    moreTools,
    live,
  }: {
    readonly artifacts: ArtifactStore;
    readonly files: WorkspaceFiles | OverlayFiles;
    readonly moreTools: readonly Tool[];
    readonly live: LiveText;
  },
): Promise<EngineOptions & { readonly config: OkaConfig }> {
  const { clock, random, redactor } = services;
  const ledger = services.ledger();
  const config = await services.config();
  const found = await liveModels(services);
  const models = (await services.telemetry())?.models(found) ?? found;
  const policy = await services.policy();
  const graphs: GraphRunner = {
    child: async (graph, input, keep) => (await services.graphs()).child(graph, input, keep),
  };
  const { behaviour } = await loadBehaviour();
  const readPack: ReadPackText = async (item) => (await services.packs()).read(item);
  const tools = await toolCapabilities(services, { config, files, policy });
  return {
    ...behaviour({ models, onText: live.emit, readPack, moreTools }),
    config,
    artifacts,
    policy,
    content: await services.content(),
    watch: watchFiles,
    recall: await recallAll(services),
    capabilities: {
      ...tools,
      files,
      artifacts,
      models,
      graphs,
      state: stateReader(ledger),
      programOutput: {
        line: (run, text) => live.emitActivity({ kind: 'output', run, text }),
      } satisfies ProgramOutput,
      ...workReaders(ledger),
      modelText: { piece: live.emit } satisfies ModelText,
    },
    middleware: [
      { before: 'policy', middleware: chainPrivilege },
      { before: 'policy', middleware: requireSandbox(tools['processes'] as Processes, config) },
    ],
    ...{ clock, random, redactor },
    namedHosts: hostsNamedBy([...config.allowHosts]),
    limits: parseBudgets(config.limits),
    rateLimits: config.rateLimits,
    approvalExpiresMs: config.approvalExpiresMs,
  };
}

/** Runs start with recalled evidence: agents with their brief, assistants with the procedures that match their goal. */
async function recallAll(services: WorkspaceServices): Promise<Recall> {
  const recalls = [await services.agentRuns(), recallProcedures(assistantProcedures(services))];
  return {
    recall: async (about) => (await Promise.all(recalls.map((one) => one.recall(about)))).flat(),
  };
}

/**
 * The limits of a dry run are the real ones, because its models cost real money. On a read-only disk the pools are only read:
 * a run that needs no model still works, and one that needs a model fails before it asks.
 */
async function dryRunPools(
  services: WorkspaceServices,
): Promise<Pick<EngineOptions, 'pools' | 'poolEvents' | 'owners'>> {
  const config = await services.config();
  if (Object.keys({ ...config.dailyLimits, ...config.conversationLimits }).length === 0) return {};
  const ledger = await services.writableRedacted().catch((error: unknown) => {
    if (!isDiskRefusal(error)) throw error;
    return services.ledger();
  });
  return { pools: spendingPools(config, ledger), poolEvents: ledger.events, owners: services.owners };
}
