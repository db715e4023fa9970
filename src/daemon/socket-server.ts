// Owns: the socket of a daemon, from listening to removal. Does not own: the routes.
import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import type { Hono } from 'hono';
import { OkaError } from '../api/index.ts';

/** The smallest limit of socket addresses on the supported systems. */
const MAX_PATH_BYTES = 103;

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

/**
 * Serves on a Unix socket that only the user can access. The socket is renamed into place when ready, replacing one of a dead
 * daemon; Node removes only the original name, so it never removes another daemon's socket.
 */
export async function listenOnSocket(app: Hono, path: string): Promise<Server> {
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const temporary = `${path}.${process.pid}`;
  checkSocketPath(temporary);
  rmSync(temporary, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(temporary, () => resolve());
  });
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
  return server;
}

/** Creates the socket folder, or checks that it belongs to the user, is private and is no link. */
export function prepareSocketFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refused(folder, `${folder} cannot be created (${(error as NodeJS.ErrnoException).code})`);
  }
  const found = lstatSync(folder);
  const own = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !own) throw refused(folder, `${folder} is not a folder that you own`);
  chmodSync(folder, 0o700);
}

/** Rejects a path that the system would truncate. */
function checkSocketPath(path: string): void {
  const length = Buffer.byteLength(path);
  if (length > MAX_PATH_BYTES)
    throw refused(path, `${path} is too long for a socket: ${length} bytes, of at most ${MAX_PATH_BYTES}`);
}

function refused(path: string, why: string): OkaError {
  return new OkaError(
    'daemon.socket_refused',
    `${why}, so the daemon cannot listen there. Set XDG_RUNTIME_DIR to a folder that you own, with a short path.`,
    { data: { path } },
  );
}

/** Returns a function that removes this socket unless another daemon has replaced it. */
export function socketRemover(path: string): () => void {
  const { dev, ino } = lstatSync(path);
  return () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) rmSync(path, { force: true });
  };
}
