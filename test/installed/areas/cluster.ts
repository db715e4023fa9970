// The worker of a cluster and the client of it, without a server: what they say when it refuses or is away.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { type Area, echoGraph } from './area.ts';

export function clusterArea({ open }: Area): void {
  test('a worker reports that the cluster refuses it', async ({ onTestFinished }) => {
    const admin = createServer((_, response) => response.writeHead(409).end('other handlers'));
    admin.listen(0, '127.0.0.1');
    await once(admin, 'listening');
    onTestFinished(() => void admin.close());
    const { port } = admin.address() as { port: number };
    const execution = { backend: 'restate', admin: `http://127.0.0.1:${port}` };
    const workspace = await open({ userConfig: { execution } });
    const { exitCode, stderr } = await workspace.oka('worker');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: expect.stringContaining('refused the worker'),
    });
  });

  test('a run is refused while the cluster is away, and nothing is recorded', async () => {
    const execution = { backend: 'restate', ingress: 'http://127.0.0.1:1' };
    const workspace = await open({ userConfig: { execution } });
    workspace.put('.oka/graphs/echo.json', echoGraph('echo'));
    const { exitCode, stderr } = await workspace.oka('graph', 'run', 'echo');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('Cannot reach Restate'),
    });
    const { stdout } = await workspace.oka('runs', 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ data: { runs: [] } });
  });
}
