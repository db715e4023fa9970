import { join } from 'node:path';
import { ownPrograms } from '../../adapters/installs/index.ts';
import {
  AgentFiles,
  GraphFiles,
  McpFile,
  openInstallRecord,
  type WorkspaceFolder,
} from '../../adapters/workspace/index.ts';
import { DEFAULT_AGENT } from '../../agent/index.ts';
import { type OkaConfig, readConfig } from '../../config/index.ts';
import { isOkaError, type Json } from '../../kernel/index.ts';
import type { Schedule } from '../../schedule/index.ts';
import {
  type ActingItem,
  type FoundAgent,
  type FoundServer,
  listActingItems,
  readAgentItem,
} from './acting-items.ts';
import { actsOutside, contentOfFiles } from './graph-content.ts';

/** Reads everything that acts in a workspace. What cannot be read does not act, so it is left out. */
export async function readActingItems(parts: {
  readonly folder: WorkspaceFolder;
  readonly filesOf: (command: readonly string[]) => Readonly<Record<string, string>>;
  readonly schedules: () => Promise<readonly Schedule[]>;
  readonly home: string;
}): Promise<readonly ActingItem[]> {
  const { workspace, directory, config } = parts.folder;
  const {
    hooks = [],
    models = {},
    defaultModel,
  } = await orNone<Partial<OkaConfig>>(async () => (await readConfig(config, 'project')) ?? {}, {});
  const graphs = new GraphFiles(workspace, directory);
  const schedules = await orNone(parts.schedules, []);
  return listActingItems({
    hooks,
    models,
    defaultModel,
    agents: await replacedAgents(parts),
    graphs: await orNone(async () => actingGraphs(graphs), []),
    servers: await orNone(async () => actingServers(new McpFile(join(workspace, '.mcp.json'))), []),
    schedules: schedules.map((schedule) => ({ schedule, graph: contentOfFiles(schedule.graph, graphs) })),
    programs: await orNone(
      async () => ownPrograms(workspace, openInstallRecord(parts.home, parts.folder.identity())),
      [],
    ),
    filesOf: parts.filesOf,
  });
}

async function replacedAgents({
  folder,
  filesOf,
}: Pick<Parameters<typeof readActingItems>[0], 'folder' | 'filesOf'>): Promise<readonly FoundAgent[]> {
  const files = await new AgentFiles(folder.workspace).list();
  return files.filter(({ name }) => name === DEFAULT_AGENT.name).map((file) => readAgentItem(file, filesOf));
}

function actingGraphs(files: GraphFiles): readonly { readonly id: string; readonly content: Json }[] {
  return files
    .ids()
    .map((id) => ({ id, content: contentOfFiles(id, files) }))
    .filter(({ content }) => actsOutside(content));
}

function actingServers(file: McpFile): readonly FoundServer[] {
  return file
    .servers()
    .flatMap(({ name, launch, off }) => (launch === undefined || off ? [] : [{ name, launch }]));
}

async function orNone<T>(read: () => Promise<T>, none: T): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isOkaError(error)) return none;
    throw error;
  }
}
