import { join } from 'node:path';
import { WorkspaceFiles } from '../../adapters/files/index.ts';
import { openHostProxy } from '../../adapters/http/index.ts';
import { ownProgram, toolFolders } from '../../adapters/installs/index.ts';
import {
  type DefinedProgram,
  type SimulatedFiles,
  WorkspaceProcesses,
} from '../../adapters/processes/index.ts';
import { openInstallRecord } from '../../adapters/workspace/index.ts';
import { daemonSocket, type OkaConfig } from '../../config/index.ts';
import { isUnattended, type RunId } from '../../engine/index.ts';
import { digestOf, OkaError } from '../../kernel/index.ts';
import type { ProgramLaunch, SandboxAccess, ToolsErrorCode } from '../../tools/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { programItem } from '../trust/acting-items.ts';
import { noSandboxForUnattended } from './require-sandbox.ts';

/** A server reads the workspace and reaches the network unless its definition says otherwise. */
const SERVER_ACCESS: SandboxAccess = { network: true };

/** The programs of a workspace or of a simulation, as the configuration confines them. */
export function openProcesses(
  { folder, home, clock, trust }: Pick<WorkspaceServices, 'folder' | 'home' | 'clock' | 'trust'>,
  config: OkaConfig,
  simulated?: SimulatedFiles,
): WorkspaceProcesses {
  const { workspace } = folder;
  return new WorkspaceProcesses({
    workspace,
    toolFolders: toolFolders(workspace),
    installs: openInstallRecord(home, folder.identity()).read,
    isApproved: (path) => {
      const program = ownProgram(workspace, path);
      return program !== undefined && trust.isApproved(programItem(program));
    },
    sandbox: config.sandbox,
    drafts: join(home, 'drafts', digestOf(workspace).slice(0, 32)),
    files: new WorkspaceFiles(workspace),
    simulated,
    clock,
    // A program that reaches the daemon could do everything that the user can.
    hidden: [home, daemonSocket({ workspace, home }).folder],
    read: config.sandboxRead,
    limits: config.sandboxLimits,
    openProxy: (hosts) => openHostProxy({ hosts, allowPrivate: config.allowPrivate }),
  });
}

/** Prepares hooks and servers; refuses them in unattended runs without a sandbox. */
export function definedPrograms(services: WorkspaceServices, config: OkaConfig) {
  const processes = openProcesses(services, config);
  const launch = async (program: DefinedProgram, run: unknown): Promise<ProgramLaunch> => {
    const { kind, why = '' } = processes.sandbox;
    if (kind === 'none' && config.sandbox !== 'off' && !program.unconfined && typeof run === 'string') {
      const [started] = await services.ledger().events.read(`run/${run as RunId}`);
      if (
        started !== undefined &&
        isUnattended(started.data as unknown as Parameters<typeof isUnattended>[0])
      )
        throw new OkaError<ToolsErrorCode>('process.sandbox_required', noSandboxForUnattended(why));
    }
    return processes.launch(program);
  };
  return {
    hook: (program: DefinedProgram, event: { readonly run?: unknown }) => launch(program, event.run),
    server: (
      server: {
        readonly command: readonly string[];
        readonly environment: Readonly<Record<string, string>>;
        readonly sandbox?: SandboxAccess | 'off';
      },
      run: string | undefined,
    ) => {
      const { sandbox, ...rest } = server;
      const unconfined = sandbox === 'off';
      return launch({ ...rest, access: unconfined ? {} : { ...SERVER_ACCESS, ...sandbox }, unconfined }, run);
    },
  };
}
