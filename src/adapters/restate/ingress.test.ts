import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { Ingress } from './ingress.ts';

const open = (port: number): Ingress =>
  new Ingress({ url: `http://127.0.0.1:${port}`, project: 'shop', token: 'a token' });

test('a check asks Restate and a worker, and fails when one is unreachable or unhealthy', async ({
  onTestFinished,
}) => {
  let status = 200;
  let worker = 200;
  const server = createServer(({ url }, response) => {
    const isHealth = url === '/restate/health';
    response.writeHead(isHealth ? status : worker, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  await open(port).workers();
  worker = 404;
  await expect(open(port).workers()).rejects.toMatchObject({ code: 'cluster.no_worker' });
  status = 503;
  await expect(open(port).workers()).rejects.toMatchObject({ code: 'cluster.unreachable' });
  await expect(open(1).workers()).rejects.toMatchObject({ code: 'cluster.unreachable' });
});
