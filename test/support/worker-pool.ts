// One address for several workers, like a load balancer or a DNS name with several addresses: each new connection goes to
// the next worker that accepts it.
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort, LOOPBACK } from './free-port.ts';

export class WorkerPool {
  readonly url: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #workers: number[] = [];
  #next = 0;

  private constructor(port: number) {
    this.url = `http://${LOOPBACK}:${port}`;
    this.#server = createServer((socket) => this.#forward(socket, this.#workers.length));
    this.#server.listen(port, LOOPBACK);
  }

  static async open(): Promise<WorkerPool> {
    const pool = new WorkerPool(await freePort());
    await once(pool.#server, 'listening');
    return pool;
  }

  add(url: string): void {
    this.#workers.push(Number(new URL(url).port));
  }

  remove(url: string): void {
    const at = this.#workers.indexOf(Number(new URL(url).port));
    if (at >= 0) this.#workers.splice(at, 1);
  }

  #forward(socket: Socket, triesLeft: number): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    const port = this.#workers[this.#next++ % Math.max(1, this.#workers.length)];
    if (port === undefined || triesLeft === 0) {
      socket.destroy();
      return;
    }
    const worker = connect(port, LOOPBACK);
    this.#sockets.add(worker);
    worker.once('connect', () => {
      socket.pipe(worker).pipe(socket);
      socket.on('close', () => worker.destroy());
      worker.on('close', () => socket.destroy());
    });
    worker.once('error', () => {
      this.#sockets.delete(worker);
      if (worker.connecting || socket.bytesWritten === 0) this.#forward(socket, triesLeft - 1);
    });
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
