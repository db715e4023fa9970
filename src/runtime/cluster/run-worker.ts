// Owns: a worker of the cluster: which workspaces it serves, and its beginning and end.
import {
  type ClusterErrorCode,
  Ingress,
  projectTarget,
  registerWorker,
  schedulesTarget,
  WorkerServer,
} from '../../adapters/restate/index.ts';
import { OkaError, systemClock } from '../../kernel/index.ts';
import { Oka } from '../oka.ts';
import type { ServedProject } from './served-project.ts';

/** A step may take long; after this, another worker continues it as after a crash. */
const DRAIN_MS = 55_000;

export interface WorkerOptions {
  readonly folders: readonly string[];
  readonly home: string;
  readonly host: string;
  readonly port: number;
  /** The address of the workers for Restate, if it is not the one where this worker listens. */
  readonly advertise?: string;
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
  const { home, host, port } = options;
  const opened = options.folders.map(
    (workspace) => new Oka({ workspace, home, onWarning: ({ message }) => onWarning(message) }),
  );
  let server: WorkerServer | undefined;
  try {
    const projects = await Promise.all(opened.map((oka) => oka.clusterProject()));
    const byName = requireDistinct(projects);
    server = await WorkerServer.listen({ projects: (name) => byName.get(name), host, port, onWarning });
    const { url } = server;
    const advertised = options.advertise ?? url;
    for (const admin of new Set(projects.map(({ place }) => place.admin)))
      await registerWorker({ admin, address: advertised }, { clock: systemClock, signal });
    if (signal.aborted) return;
    await startProjects(projects);
    onReady({ url, advertised, projects: [...byName.keys()], pid: process.pid });
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  } finally {
    const drained = server?.drain(DRAIN_MS);
    await Promise.all(opened.map((oka) => oka.release({ afterStep: true })));
    await drained;
    await Promise.all(opened.map((oka) => oka.close()));
  }
}

/** Starts the timers of schedules and of reconciliation on Restate. They replace earlier ones. */
async function startProjects(projects: readonly ServedProject[]): Promise<void> {
  for (const { name: project, token, place } of projects) {
    const ingress = new Ingress({ url: place.ingress, project, token });
    await ingress.send(projectTarget(project), {});
    await ingress.send(schedulesTarget(project), {});
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
  if (token !== undefined && shared === undefined) return;
  const problem =
    token === undefined ? `"${name}" has no token` : `"${name}" and "${shared?.name}" have the same token`;
  const variable = `OKA_PROJECT_TOKEN_${name.toUpperCase().replaceAll('-', '_')}`;
  const message = `The project ${problem}. A worker of several projects needs a token for each: set ${variable}.`;
  throw new OkaError<ClusterErrorCode>('cluster.invalid', message, { data: { project: name } });
}

/** A configured schema counts for all workspaces, so that they would share their records. */
function requireOwnLedger({ name, ledgerFile }: ServedProject, all: readonly ServedProject[]): void {
  const shared = all.find((other) => other.name !== name && other.ledgerFile === ledgerFile);
  if (shared === undefined) return;
  const message = `The projects "${name}" and "${shared.name}" have the same ledger schema. Unset OKA_LEDGER_SCHEMA and ledger.schema, or start a worker for each workspace.`;
  throw new OkaError<ClusterErrorCode>('cluster.invalid', message, { data: { project: name } });
}
