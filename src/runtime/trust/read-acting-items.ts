import { join } from 'node:path';
import { ownPrograms } from '../../adapters/installs/index.ts';
import {
  GraphFiles,
  McpFile,
  openInstallRecord,
  type WorkspaceFolder,
} from '../../adapters/workspace/index.ts';
import { loadConfig, type OkaConfig } from '../../config/index.ts';
import { isOkaError } from '../../kernel/index.ts';
import type { Schedule } from '../../schedule/index.ts';
import { type ActingItem, type FoundServer, listActingItems } from './acting-items.ts';
import { contentOfFiles } from './graph-content.ts';

/** Reads everything that acts in a workspace. What cannot be read does not act, so it is left out. */
export async function readActingItems(parts: {
  readonly folder: WorkspaceFolder;
  readonly filesOf: (command: readonly string[]) => Readonly<Record<string, string>>;
  readonly schedules: () => Promise<readonly Schedule[]>;
  readonly home: string;
}): Promise<readonly ActingItem[]> {
  const { workspace, directory, config } = parts.folder;
  const { hooks = [], models = {} } = await orNone<Partial<OkaConfig>>(
    () => loadConfig({ project: config }),
    {},
  );
  const graphs = new GraphFiles(workspace, directory);
  const schedules = await orNone(parts.schedules, []);
  return listActingItems({
    hooks,
    models,
    servers: await orNone(async () => actingServers(new McpFile(join(workspace, '.mcp.json'))), []),
    schedules: schedules.map((schedule) => ({ schedule, graph: contentOfFiles(schedule.graph, graphs) })),
    programs: await orNone(
      async () => ownPrograms(workspace, openInstallRecord(parts.home, parts.folder.identity())),
      [],
    ),
    filesOf: parts.filesOf,
  });
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
