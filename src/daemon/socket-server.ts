// Owns: the socket of a daemon, from listening to removal. Does not own: the routes.
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Hono } from 'hono';
import { listenOnSocket } from './server.ts';
import { prepareSocketFolder, socketRemover } from './socket-place.ts';

export class SocketServer {
  readonly #app: Hono;
  readonly #folder: string;
  readonly #path: string;
  /** The newest one is reachable at the path. */
  readonly #servers: Server[] = [];
  readonly #closing: Promise<unknown>[] = [];
  #remove: () => void = () => undefined;

  private constructor(app: Hono, place: { readonly folder: string; readonly path: string }) {
    this.#app = app;
    this.#folder = place.folder;
    this.#path = place.path;
  }

  static async open(
    app: Hono,
    place: { readonly folder: string; readonly path: string },
  ): Promise<SocketServer> {
    const server = new SocketServer(app, place);
    await server.#listen();
    return server;
  }

  /** Listens again if the socket file was removed; existing connections stay open. */
  readonly restore = async (): Promise<void> => {
    if (!existsSync(this.#path)) await this.#listen();
  };

  /** Stops accepting connections. */
  close(): void {
    for (const server of this.#servers) this.#closing.push(new Promise((resolve) => server.close(resolve)));
  }

  /** Closes idle connections, waits for the others, and removes the socket. */
  async drain(): Promise<void> {
    for (const server of this.#servers) server.closeIdleConnections();
    await Promise.all(this.#closing);
    this.#remove();
  }

  async #listen(): Promise<void> {
    prepareSocketFolder(this.#folder);
    this.#servers.push(await listenOnSocket(this.#app, this.#path));
    this.#remove = socketRemover(this.#path);
  }
}
