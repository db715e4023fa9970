// Workers as docs/guides/cluster.md starts them: each with an address of its own, on one machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { policyOf } from '../policy/good-policies.ts';
import { onClusters, type ScaleWorld, until } from './scale-world.ts';

const OKA = fileURLToPath(new URL('../../bin/oka.cjs', import.meta.url));

interface Started {
  readonly process: ChildProcess;
  readonly url: string;
}

/** Starts `oka worker` in a process of its own; rejects with what it said if it ends. */
async function startOwn(
  { workspace, home }: ScaleWorld,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Started> {
  const worker = spawn(process.execPath, [OKA, '-C', workspace, 'worker', '--json', ...args], {
    env: { ...process.env, OKA_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void worker.kill('SIGKILL'));
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [worker.stdout, worker.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const found = said.includes('"pid"') ? /"url":\s*"([^"]+)"/.exec(said)?.[1] : undefined;
        if (found !== undefined) resolve(found);
      });
    worker.once('exit', () => reject(new Error(said)));
  });
  return { process: worker, url };
}

async function kill({ process: worker }: Started): Promise<void> {
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}

function effect(world: ScaleWorld, name: string): void {
  world.graph(name, 'ask', [
    {
      node_id: 'ask',
      type: 'tool',
      tool: 'http.fetch',
      args: { url: `${world.counter}${name}` },
      next: 'end',
    },
  ]);
}

/** Ends the workers that share an address, which other tests use. A worker of a test before may have had another policy. */
async function onlyOwnWorkers(world: ScaleWorld): Promise<void> {
  for (const worker of [...world.workers]) await world.stopWorker(worker);
}

onClusters((world) => {
  it('continues a run of a killed worker when the same command starts it again, and resuming it returns', async () => {
    await onlyOwnWorkers(world());
    effect(world(), 'again');
    const first = await startOwn(world(), ['--replace']);
    let isKilled = false;
    world().onEffect = async () => {
      if (isKilled) return;
      isKilled = true;
      await kill(first);
    };
    const started = world().run('again');
    await until(async () => (isKilled ? true : undefined));
    const second = await startOwn(world());
    expect(second.url).toBe(first.url);
    const { id, status } = await started;
    expect(status).toBe('completed');
    const resumed = await world().oka.runs.resume({
      ...{ run: id, by: 'ann', repin: false, addBudgets: {}, patienceMs: 0 },
    });
    expect(resumed).toMatchObject({ run: { status: 'completed' } });
  });

  it('continues a run of a killed worker on another one, and lists the lost one', async () => {
    await onlyOwnWorkers(world());
    effect(world(), 'elsewhere');
    const workers = [
      await startOwn(world(), ['--port', '0', '--replace']),
      await startOwn(world(), ['--port', '0']),
    ];
    let killed: Started | undefined;
    world().onEffect = async () => {
      if (killed !== undefined) return;
      // New calls go to the worker that registered last.
      killed = workers[1] as Started;
      await kill(killed);
    };
    expect(await world().run('elsewhere')).toMatchObject({ status: 'completed' });
    const lost = await until(async () => {
      const { workers: listed } = await world().oka.workers();
      return listed.find(({ url, state }) => url === killed?.url && state === 'lost');
    });
    expect(lost.id).toContain(String(killed?.process.pid));
    expect((await world().oka.workers()).workers).toContainEqual(
      expect.objectContaining({ url: workers[0]?.url, state: 'alive' }),
    );
  });

  it('registers again when Restate has lost its data, and accepted runs continue', async () => {
    await onlyOwnWorkers(world());
    await startOwn(world(), ['--replace']);
    await world().restate?.loseData();
    effect(world(), 'after');
    world().onEffect = () => undefined;
    const answer = await until(() =>
      world()
        .run('after')
        .catch(() => undefined),
    );
    expect(answer.status).toBe('completed');
  });

  it('refuses a worker with another policy while others work, and lets it replace them when told to', async () => {
    await onlyOwnWorkers(world());
    const first = await startOwn(world(), ['--port', '0', '--replace']);
    const other = join(world().home, '..', 'other-home');
    await world().copyHome(other);
    writeFileSync(join(other, 'POLICY.md'), policyOf('| `http.fetch` | ask | a test |'));
    await expect(startOwn(world(), ['--port', '0'], { OKA_HOME: other })).rejects.toThrow(
      /cluster\.mismatch/,
    );
    effect(world(), 'allowed');
    expect(await world().run('allowed')).toMatchObject({ status: 'completed' });
    const ended = once(first.process, 'exit');
    await startOwn(world(), ['--port', '0', '--replace'], { OKA_HOME: other });
    await ended;
    expect(await world().run('allowed')).toMatchObject({ status: 'waiting' });
  });
});
