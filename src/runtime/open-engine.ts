import { FileArtifactStore, OverlayFiles, WorkspaceFiles } from '../adapters/files/index.ts';
import { ConfiguredModels } from '../adapters/models/index.ts';
import { commandHooks } from '../adapters/processes/index.ts';
import { SqliteCache } from '../adapters/sqlite/index.ts';
import type { UserFolder, WorkspaceFolder } from '../adapters/workspace/index.ts';
import type { HearText } from '../agent/index.ts';
import type { OkaConfig } from '../config/index.ts';
import {
  type ArtifactStore,
  Engine,
  type EngineOptions,
  MemoryArtifactStore,
  MemoryRunStore,
  parseBudgets,
  type RunStatus,
  runProjection,
  type Tool,
} from '../engine/index.ts';
import { graphStateProjection, MemoryGraphStateStore } from '../graph/index.ts';
import { createRedactor } from '../kernel/index.ts';
import { MemoryEventStore } from '../ledger/index.ts';
import type { StateReader } from '../tools/index.ts';
import { loadBehaviour } from './extensions.ts';
import type { LedgerPorts, OpenLedger } from './open-ledger.ts';

export interface OpenEngineParts {
  readonly folder: WorkspaceFolder;
  readonly user: UserFolder;
  readonly ledger: OpenLedger;
  readonly config: OkaConfig;
  readonly ports: LedgerPorts;
  readonly moreTools?: readonly Tool[];
  readonly onText?: HearText;
}

/** An engine that acts on the workspace and records in its ledger. */
export async function openEngine(parts: OpenEngineParts): Promise<Engine> {
  const { folder, ledger, config, ports } = parts;
  const artifacts = new FileArtifactStore(folder.objects, ports.clock);
  const files = new WorkspaceFiles(folder.workspace);
  const redactor = createRedactor();
  return new Engine({
    ...(await sharedOptions(parts, artifacts, files)),
    events: ledger.events,
    runs: ledger.runs,
    cache: new SqliteCache(ledger.database, ports.clock),
    grants: parts.user.grants(folder.workspace),
    hooks: commandHooks(config.hooks, { cwd: folder.workspace, redactor }),
    owners: ports.owners,
    redactor,
  });
}

/** An engine whose effects stay in this process: writes land on an overlay, events in memory. */
export async function openBeside(
  parts: OpenEngineParts,
): Promise<{ options: EngineOptions; overlay: OverlayFiles }> {
  const overlay = new OverlayFiles(new WorkspaceFiles(parts.folder.workspace));
  const { clock } = parts.ports;
  const artifacts = new MemoryArtifactStore(clock, new FileArtifactStore(parts.folder.objects, clock));
  const options = await sharedOptions(parts, artifacts, overlay);
  const projections = [runProjection, graphStateProjection];
  const events = new MemoryEventStore({ clock, random: parts.ports.random, projections });
  const written = new MemoryGraphStateStore(events.tables);
  const real = stateReader(parts.ledger);
  const get: StateReader['get'] = async (graph, key) =>
    (await written.get(graph, key)) ?? (await real.get(graph, key));
  const capabilities = { ...options.capabilities, state: { ...real, get } };
  return { options: { ...options, capabilities, events, runs: new MemoryRunStore(events.tables) }, overlay };
}

/** The models that the workspace configures. */
function configuredModels({
  config,
  folder,
  ports,
}: Pick<OpenEngineParts, 'config' | 'folder' | 'ports'>): ConfiguredModels {
  const { models, defaultModel } = config;
  return new ConfiguredModels({ models, defaultModel, folder: folder.workspace, clock: ports.clock });
}

/** What state tools may look up in the ledger. */
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

async function sharedOptions(
  { config, ports, ledger, folder, moreTools = [], onText }: OpenEngineParts,
  artifacts: ArtifactStore,
  files: WorkspaceFiles | OverlayFiles,
): Promise<EngineOptions> {
  const models = configuredModels({ config, folder, ports });
  const { behaviour } = await loadBehaviour();
  return {
    ...behaviour({ models, moreTools, ...(onText ? { onText } : {}) }),
    artifacts,
    capabilities: {
      files,
      artifacts,
      state: stateReader(ledger),
      models,
    },
    clock: ports.clock,
    random: ports.random,
    limits: parseBudgets(config.limits),
    rateLimits: config.rateLimits,
    approvalExpiresMs: config.approvalExpiresMs,
  };
}
