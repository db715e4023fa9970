import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { Ingress } from './ingress.ts';

const open = (port: number): Ingress =>
  new Ingress({ url: `http://127.0.0.1:${port}`, project: 'shop', token: undefined });

test('a check asks Restate, and fails when it is away or not healthy', async ({ onTestFinished }) => {
  let status = 200;
  const server = createServer((_, response) => response.writeHead(status).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  await open(port).check();
  status = 503;
  await expect(open(port).check()).rejects.toMatchObject({ code: 'cluster.unreachable' });
  await expect(open(1).check()).rejects.toMatchObject({ code: 'cluster.unreachable' });
});
