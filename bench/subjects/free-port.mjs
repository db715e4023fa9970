import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** A port of the loopback interface that nobody listens on, for servers that cannot choose one by themselves. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, LOOPBACK, resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
