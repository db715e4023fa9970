// Owns: which backend executes the runs of a workspace, and as which project of the cluster.
import { basename } from 'node:path';
import type { ClusterErrorCode } from '../../adapters/restate/index.ts';
import { SigningKey } from '../../adapters/workspace/index.ts';
import {
  type ExecutionConfig,
  executionEnvironment,
  machineEnvironment,
  projectToken,
} from '../../config/index.ts';
import { type ExecutionBackend, LocalExecutionBackend } from '../../engine/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

export type ExecutionServices = Pick<
  WorkspaceServices,
  'acting' | 'config' | 'folder' | 'home' | 'secret' | 'trust' | 'warn'
>;

/** Where the runs of a workspace are executed. */
export interface ExecutionPlace extends ExecutionConfig {
  readonly project: string;
  readonly tokenValue: string;
}

export async function executionBackend(services: ExecutionServices): Promise<ExecutionBackend> {
  const { backend } = await executionConfig(services);
  if (backend === 'local') return new LocalExecutionBackend(services.acting);
  const { RestateExecutionBackend } = await import('../../adapters/restate/index.ts');
  const { ingress: url, project, tokenValue: token } = await executionPlace(services);
  return new RestateExecutionBackend(services.acting, { url, project, token, onWarning: services.warn });
}

const known = new WeakMap<object, { readonly version: string; readonly config: ExecutionConfig }>();

/** The configured execution; variables of the environment win. Each run needs it, so it is read again only after a change. */
export async function executionConfig(
  services: Pick<ExecutionServices, 'config' | 'trust'>,
): Promise<ExecutionConfig> {
  const { version } = services.trust;
  let found = known.get(services);
  if (found?.version !== version) {
    found = { version, config: (await services.config()).execution };
    known.set(services, found);
  }
  return { ...found.config, ...executionEnvironment() };
}

export async function executionPlace(services: ExecutionServices): Promise<ExecutionPlace> {
  const execution = await executionConfig(services);
  const { workspace } = services.folder;
  const project = execution.project ?? projectNameOf(workspace);
  if (project === '') {
    const message = `No project name can be made of ${workspace}. Set execution.project in its .oka/config.json.`;
    throw new OkaError<ClusterErrorCode>('cluster.invalid', message, { data: { workspace } });
  }
  return { ...execution, project, tokenValue: await tokenOf(services, execution, project) };
}

/** The project of a workspace whose configuration names none. Empty if the folder's name has no letter or digit. */
export function projectNameOf(workspace: string): string {
  const name = basename(workspace)
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-');
  return name.replace(/^[_-]+/, '').slice(0, 63);
}

async function tokenOf(
  { secret, home }: ExecutionServices,
  { token }: ExecutionConfig,
  project: string,
): Promise<string> {
  if (token === undefined) return projectToken(project) ?? ownToken(home, project);
  const value =
    'env' in token
      ? machineEnvironment()[token.env]
      : await secret(token.vault, { tool: 'cluster', from: 'user' });
  if (value) return value;
  const where = 'env' in token ? `the variable ${token.env}` : `the credential ${token.vault}`;
  const message = `execution.token names ${where}, which has no value. Set it, or remove execution.token.`;
  throw new OkaError<ClusterErrorCode>('cluster.invalid', message, { data: { project } });
}

/** The token of a project that the user has given none: other users of the machine do not have it. */
function ownToken(home: string, project: string): string {
  return new SigningKey(home).derive(`project ${project}`);
}
