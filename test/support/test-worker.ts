// A Restate worker for the short-lived workspaces of tests: it keeps one open while it works in it. Otherwise it runs the
// same code as `oka worker`.
import { existsSync } from 'node:fs';
import {
  type ClusterProject,
  registerWorker,
  WorkerServer,
  workerKey,
} from '../../src/adapters/restate/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { projectNameOf } from '../../src/runtime/cluster/execution-backend.ts';
import type { ServedProject } from '../../src/runtime/cluster/served-project.ts';
import { Oka } from '../../src/runtime/index.ts';
import { servedHomes, TEST_TOKEN } from './server-environment.ts';

interface Place {
  readonly workspace: string;
  readonly home: string;
}

let server: Promise<void> | undefined;

/** Starts the worker of this process, unless it runs. */
export function serveWorkspaces({ admin }: { readonly admin: string }): Promise<void> {
  server ??= start(admin);
  return server;
}

async function start(admin: string): Promise<void> {
  const onWarning = (what: string): void => void process.stderr.write(`${what}\n`);
  const projects = (name: string): OpenedWhenUsed | undefined => {
    const found = [...servedHomes].findLast(([workspace]) => projectNameOf(workspace) === name);
    return found && new OpenedWhenUsed(name, { workspace: found[0], home: found[1] });
  };
  const key = workerKey([{ name: 'tests', token: TEST_TOKEN }]);
  const clock = systemClock;
  const { url } = await WorkerServer.listen({ projects, clock, key, host: '127.0.0.1', port: 0, onWarning });
  const { signal } = new AbortController();
  await registerWorker({ admin, address: url, key }, { clock, signal });
}

const opened = new Map<string, { readonly oka: Oka; users: number }>();

/** A project whose workspace is open while a handler works in it. */
class OpenedWhenUsed implements ClusterProject {
  readonly name: string;
  readonly token = TEST_TOKEN;
  readonly runsAtOnce = undefined;
  readonly #place: Place;

  constructor(name: string, place: Place) {
    this.name = name;
    this.#place = place;
  }

  drive: ServedProject['drive'] = (...args) => this.#use((project) => project.drive(...args));
  tick: ServedProject['tick'] = () => this.#use((project) => project.tick());
  answer: ServedProject['answer'] = (...args) => this.#use((project) => project.answer(...args));
  useProof: ServedProject['useProof'] = (proof) => this.#use((project) => project.useProof(proof));
  openWork: ServedProject['openWork'] = () => this.#use((project) => project.openWork());

  async #use<Answer>(work: (project: ServedProject) => Promise<Answer>): Promise<Answer> {
    const { workspace } = this.#place;
    // The test has ended and removed it.
    if (!existsSync(workspace)) return new Promise(() => undefined);
    const entry = opened.get(workspace) ?? { oka: new Oka(this.#place), users: 0 };
    opened.set(workspace, entry);
    entry.users += 1;
    try {
      return await work(await entry.oka.clusterProject());
    } finally {
      entry.users -= 1;
      if (entry.users === 0) {
        opened.delete(workspace);
        await entry.oka.close();
      }
    }
  }
}
