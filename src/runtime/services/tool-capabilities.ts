import { OverlayFiles, programChanges } from '../../adapters/files/index.ts';
import { PinnedHttp } from '../../adapters/http/index.ts';
import { toolEnvironment, WorkspaceInstaller } from '../../adapters/installs/index.ts';
import { openInstallRecord } from '../../adapters/workspace/index.ts';
import { machineEnvironment, type OkaConfig } from '../../config/index.ts';
import type { Capabilities, Policy } from '../../engine/index.ts';
import { OkaError } from '../../kernel/index.ts';
import {
  type EnvironmentErrorCode,
  type Files,
  type Installer,
  MissingDependencies,
  withInstalls,
} from '../../tools/index.ts';
import { openProcesses } from '../process/open-processes.ts';
import type { WorkspaceServices } from './workspace-services.ts';

interface ToolParts {
  readonly config: OkaConfig;
  readonly files: Files | OverlayFiles;
  readonly policy: Policy;
}

/** What tools use besides files and the ledger: programs, installs, the network, secrets, skills, MCP servers. */
export async function toolCapabilities(
  services: WorkspaceServices,
  { config, files, policy }: ToolParts,
): Promise<Capabilities> {
  const { folder, clock, home, owners, redactor } = services;
  const { workspace } = folder;
  const simulated = files instanceof OverlayFiles ? files : undefined;
  const { leases, runs } = services.ledger();
  const record = openInstallRecord(home, folder.identity());
  const installer = new WorkspaceInstaller({
    workspace,
    record,
    environment: machineEnvironment(),
    sources: config.installs,
    leases,
    owner: owners.self,
    clock,
  });
  const dependencies = new MissingDependencies({
    installer: simulated === undefined ? installer : withoutInstalls,
    files,
    redactor,
    decide: (tool, input, context) =>
      policy.decide({ tool, input, run: { id: context.runId, kind: 'call', state: 'act' } }).decision,
    goalOf: async (run) => (await runs.get(run))?.goal,
  });
  const processes = openProcesses(services, config, simulated);
  return {
    processes: withInstalls(processes, {
      environment: () => toolEnvironment(workspace, record),
      dependencies,
    }),
    fileChanges: programChanges(workspace),
    dependencies,
    installer,
    http: new PinnedHttp({ clock, allowPrivate: config.allowPrivate }),
    secrets: { resolve: services.secret },
    skills: await services.skills(),
    mcp: (await services.mcp()).servers,
  };
}

/** In a simulation a program that needs an install ends here. */
const withoutInstalls: Installer = {
  install: async ({ ecosystem, package: name }) => {
    throw new OkaError<EnvironmentErrorCode>(
      'environment.install_needed',
      `A real run would install the ${ecosystem} package ${name} first. A simulation installs nothing, so the call ends here.`,
      { data: { ecosystem, package: name } },
    );
  },
  remove: async () => false,
  list: async () => [],
  inTurn: (work) => work(),
};
