import { FileArtifactStore, OverlayFiles, WorkspaceFiles } from '../../adapters/files/index.ts';
import { commandHooks } from '../../adapters/processes/index.ts';
import { SqliteCache } from '../../adapters/sqlite/index.ts';
import type { UserFolder, WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { TextListener } from '../../agent/index.ts';
import { policyRefusals } from '../../assistant/index.ts';
import { chainPrivilege } from '../../chat/index.ts';
import type { OkaConfig } from '../../config/index.ts';
import {
  type ArtifactStore,
  type Capabilities,
  Engine,
  type EngineOptions,
  MemoryArtifactStore,
  MemoryRunStore,
  parseBudgets,
  type Recall,
  type RunStatus,
  runProjection,
} from '../../engine/index.ts';
import { graphStateProjection, MemoryGraphStateStore } from '../../graph/index.ts';
import type { Redactor } from '../../kernel/index.ts';
import { type EventStore, MemoryEventStore } from '../../ledger/index.ts';
import type { ReadPackText } from '../../memory/index.ts';
import type { GraphRunner, RefusalReader, StateReader } from '../../tools/index.ts';
import type { LedgerPorts, OpenLedger } from '../ledger/open-ledger.ts';
import { loadBehaviour } from './extensions.ts';
import type { Surroundings } from './surroundings.ts';

/** What any engine of the workspace is made of. */
export interface ReadingParts {
  readonly folder: WorkspaceFolder;
  readonly user: UserFolder;
  readonly ledger: OpenLedger;
  readonly ports: LedgerPorts;
  readonly redactor: Redactor;
  /** Reads what a run's context pack names by id. */
  readonly readPack: ReadPackText;
}

/** What an engine needs to act. */
export interface ActingParts extends ReadingParts {
  readonly config: OkaConfig;
  readonly surroundings: Surroundings;
  readonly graphs: () => Promise<GraphRunner>;
  readonly onText: TextListener;
  /** What tools can do with what the workspace knows, in runs that are recorded there. */
  readonly known: (events: EventStore) => Promise<Capabilities>;
  /** What runs are told when they begin. */
  readonly recall: Recall;
}

/** An engine that loads and explains runs and replays their decisions; it has nothing to act with. */
export async function openReadingEngine({
  folder,
  ledger,
  ports,
  redactor,
  readPack,
}: ReadingParts): Promise<Engine> {
  const { behaviour } = await loadBehaviour();
  return new Engine({
    ...behaviour({ models: NO_MODELS, readPack }),
    events: ledger.events,
    runs: ledger.runs,
    artifacts: new FileArtifactStore(folder.objects, ports.clock),
    clock: ports.clock,
    random: ports.random,
    owners: ports.owners,
    redactor,
  });
}

/** A decision of a model is taken again from the record; nobody is asked. */
const NO_MODELS = {
  find: async (): Promise<never> => {
    throw new Error('an engine that only reads asks no model');
  },
};

/** An engine that acts on the workspace and records in its ledger. */
export async function openEngine(parts: ActingParts): Promise<Engine> {
  const { folder, ledger, config, ports, redactor } = parts;
  const artifacts = new FileArtifactStore(folder.objects, ports.clock);
  const files = new WorkspaceFiles(folder.workspace);
  const shared = await sharedOptions(parts, artifacts, files);
  return new Engine({
    ...shared,
    capabilities: { ...shared.capabilities, ...(await parts.known(ledger.events)) },
    events: ledger.events,
    runs: ledger.runs,
    cache: new SqliteCache(ledger.database, ports.clock),
    grants: parts.user.grants(folder.workspace),
    hooks: commandHooks(config.hooks, { cwd: folder.workspace, redactor }),
    owners: ports.owners,
  });
}

/** An engine whose effects stay in this process: writes land on an overlay, events in memory. */
export async function openBeside(
  parts: ActingParts,
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
  const known = await parts.known(events);
  const capabilities = { ...options.capabilities, ...known, state: { ...real, get } };
  return { options: { ...options, capabilities, events, runs: new MemoryRunStore(events.tables) }, overlay };
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

/** What was refused to the runs below a run, at any depth. */
function refusalReader({ runs, events }: Pick<OpenLedger, 'runs' | 'events'>): RefusalReader {
  const below: RefusalReader['below'] = async (run) => {
    const found: Awaited<ReturnType<typeof below>>[number][] = [];
    for (const { id } of await runs.list({ parent: run }))
      found.push(...policyRefusals(await events.read(`run/${id}`)), ...(await below(id)));
    return found;
  };
  return { below };
}

async function sharedOptions(
  parts: ActingParts,
  artifacts: ArtifactStore,
  files: WorkspaceFiles | OverlayFiles,
): Promise<EngineOptions> {
  const { config, ports, ledger, surroundings, onText, redactor, readPack } = parts;
  const models = surroundings.models(config);
  const policy = await surroundings.policy();
  const graphs: GraphRunner = {
    child: async (graph, input, keep) => (await parts.graphs()).child(graph, input, keep),
  };
  const { behaviour } = await loadBehaviour();
  return {
    ...behaviour({ models, onText, readPack, moreTools: await surroundings.moreTools() }),
    artifacts,
    policy,
    recall: parts.recall,
    capabilities: {
      ...(await surroundings.capabilities(config, files, policy)),
      files,
      artifacts,
      models,
      graphs,
      state: stateReader(ledger),
      refusals: refusalReader(ledger),
    },
    middleware: [{ before: 'policy', middleware: chainPrivilege }],
    clock: ports.clock,
    random: ports.random,
    redactor,
    limits: parseBudgets(config.limits),
    rateLimits: config.rateLimits,
    approvalExpiresMs: config.approvalExpiresMs,
  };
}
