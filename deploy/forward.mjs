// One address for several servers, as a service name is in Docker or Kubernetes: forwards each connection to the next server
// that accepts it. Arguments: address to listen on, port, and the servers as address:port.

import { connect, createServer } from 'node:net';

const CONNECTS_WITHIN_MS = 1_000;

const [address, port, ...servers] = process.argv.slice(2);
let next = 0;

createServer(async (incoming) => {
  incoming.on('error', () => incoming.destroy());
  for (const _ of servers) {
    const outgoing = await reach(servers[next++ % servers.length]);
    if (outgoing === undefined) continue;
    outgoing.on('error', () => incoming.destroy()).on('close', () => incoming.destroy());
    incoming.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing).pipe(incoming);
    return;
  }
  incoming.destroy();
}).listen(Number(port), address);

/** A connection to a server; undefined when it does not answer in time, as one behind a cut. */
function reach(server) {
  const [host, serverPort] = server.split(':');
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(serverPort), timeout: CONNECTS_WITHIN_MS });
    const fail = () => {
      socket.destroy();
      resolve(undefined);
    };
    socket.once('error', fail).once('timeout', fail);
    socket.once('connect', () => {
      socket.off('error', fail).off('timeout', fail).setTimeout(0);
      resolve(socket);
    });
  });
}
