// Owns: a worker of the cluster: which workspaces it serves, and its beginning and end.
import {
  type ClusterErrorCode,
  type ClusterProject,
  WorkerServer,
  workerKey,
} from '../../adapters/restate/index.ts';
import { digestOfJson, isOkaError, OkaError, systemClock } from '../../kernel/index.ts';
import { Oka } from '../oka.ts';
import { PoolMember } from './pool-member.ts';
import type { ServedProject } from './served-project.ts';

/** A step may take long; after this, another worker continues it as after a crash. */
const DRAIN_MS = 55_000;

export interface WorkerOptions {
  readonly folders: readonly string[];
  readonly home: string;
  readonly host: string;
  /** Missing: the same one each time for these folders. */
  readonly port?: number;
  /** The address of the workers for Restate, if it is not the one where this worker listens. */
  readonly advertise?: string;
  /** Takes over from workers with another policy, trust or version. */
  readonly replaces?: boolean;
}

/** Where a worker listens, and for which projects. */
export interface WorkerReady {
  readonly url: string;
  readonly advertised: string;
  readonly projects: readonly string[];
  readonly pid: number;
}

export interface WorkerListeners {
  readonly onReady: (ready: WorkerReady) => void;
  readonly onWarning: (what: string) => void;
}

/** Works for the projects of some workspaces until the signal aborts. */
export async function runWorker(
  options: WorkerOptions,
  signal: AbortSignal,
  { onReady, onWarning }: WorkerListeners,
): Promise<void> {
  const { home, host, advertise, replaces = false } = options;
  const opened = options.folders.map(
    (workspace) => new Oka({ workspace, home, onWarning: ({ message }) => onWarning(message) }),
  );
  let server: WorkerServer | undefined;
  let member: PoolMember | undefined;
  try {
    const projects = await Promise.all(opened.map((oka) => oka.clusterProject()));
    const byName = requireDistinct(projects);
    const served = (name: string): ClusterProject | undefined => {
      const project = byName.get(name);
      return project && { ...project, isServing: () => member?.isServing(project) ?? false };
    };
    const [clock, key] = [systemClock, workerKey(projects)];
    server = await listen({ projects: served, clock, key, host, onWarning }, options);
    const { url } = server;
    const address = advertise ?? url;
    member = new PoolMember({
      ...{ projects, url, address, isShared: advertise !== undefined, key, replaces, clock, onWarning },
    });
    await member.join(signal);
    if (signal.aborted) return;
    onReady({ url, advertised: address, projects: [...byName.keys()], pid: process.pid });
    await member.stay(signal);
  } finally {
    await member?.leave('draining');
    const drained = server?.drain(DRAIN_MS);
    await Promise.all(opened.map((oka) => oka.release({ afterStep: true })));
    await drained;
    await member?.leave('left');
    await Promise.all(opened.map((oka) => oka.close()));
  }
}

/** Below the ports that systems give to outgoing connections. */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

/** A worker that is started again has the same address, so that calls which wait for it continue. */
async function listen(
  parts: Omit<Parameters<typeof WorkerServer.listen>[0], 'port'>,
  { port, folders }: WorkerOptions,
): Promise<WorkerServer> {
  if (port !== undefined) return WorkerServer.listen({ ...parts, port });
  const usual = FIRST_PORT + (Number.parseInt(digestOfJson([...folders].sort()).slice(0, 8), 16) % PORTS);
  try {
    return await WorkerServer.listen({ ...parts, port: usual });
  } catch (error) {
    if (!isOkaError(error, 'cluster.invalid') || error.data['why'] !== 'EADDRINUSE') throw error;
    parts.onWarning(
      `Port ${usual}, which a worker of this workspace usually has, is in use. It takes a free one.`,
    );
    return WorkerServer.listen({ ...parts, port: 0 });
  }
}

function requireDistinct(projects: readonly ServedProject[]): ReadonlyMap<string, ServedProject> {
  const byName = new Map<string, ServedProject>();
  for (const project of projects) {
    if (byName.has(project.name)) {
      const message = `Two workspaces have the project name "${project.name}". Set execution.project in the .oka/config.json of one.`;
      throw new OkaError<ClusterErrorCode>('cluster.invalid', message, { data: { project: project.name } });
    }
    requireOwnToken(project, projects);
    requireOwnLedger(project, projects);
    byName.set(project.name, project);
  }
  return byName;
}

/** Projects on one worker are kept apart by their tokens. */
function requireOwnToken({ name, token }: ServedProject, all: readonly ServedProject[]): void {
  if (all.length === 1) return;
  const shared = all.find((other) => other.name !== name && other.token === token);
  if (shared === undefined) return;
  const variable = `OKA_PROJECT_TOKEN_${name.toUpperCase().replaceAll('-', '_')}`;
  const message = `The projects "${name}" and "${shared.name}" have the same token. A worker of several projects needs a token for each: set ${variable}.`;
  throw new OkaError<ClusterErrorCode>('cluster.invalid', message, { data: { project: name } });
}

/** A configured schema counts for all workspaces, so that they would share their records. */
function requireOwnLedger({ name, ledgerFile }: ServedProject, all: readonly ServedProject[]): void {
  const shared = all.find((other) => other.name !== name && other.ledgerFile === ledgerFile);
  if (shared === undefined) return;
  const message = `The projects "${name}" and "${shared.name}" have the same ledger schema. Unset OKA_LEDGER_SCHEMA and ledger.schema, or start a worker for each workspace.`;
  throw new OkaError<ClusterErrorCode>('cluster.invalid', message, { data: { project: name } });
}
