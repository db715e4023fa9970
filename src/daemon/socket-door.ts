// Owns: the socket of a daemon, from when it stands to when it is gone. Does not own: what is asked there.
import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Hono } from 'hono';
import { listenOnSocket } from './server.ts';
import { prepareSocketFolder, removalOf } from './socket-place.ts';

/** Where a daemon can be asked. */
export class SocketDoor {
  readonly #app: Hono;
  readonly #folder: string;
  readonly #path: string;
  /** The newest is the one that is found under the path. */
  readonly #servers: Server[] = [];
  readonly #shut: Promise<unknown>[] = [];
  #remove: () => void = () => undefined;

  private constructor(app: Hono, place: { readonly folder: string; readonly path: string }) {
    this.#app = app;
    this.#folder = place.folder;
    this.#path = place.path;
  }

  static async open(
    app: Hono,
    place: { readonly folder: string; readonly path: string },
  ): Promise<SocketDoor> {
    const door = new SocketDoor(app, place);
    await door.#listen();
    return door;
  }

  /** Puts the socket up again where somebody has cleared it away; who is connected stays so. */
  readonly mend = async (): Promise<void> => {
    if (!existsSync(this.#path)) await this.#listen();
  };

  /** Takes nobody in any more. */
  shut(): void {
    for (const server of this.#servers) this.#shut.push(new Promise((resolve) => server.close(resolve)));
  }

  /** Sends away whoever asks nothing, and takes the socket away when everybody has gone. */
  async leave(): Promise<void> {
    for (const server of this.#servers) server.closeIdleConnections();
    await Promise.all(this.#shut);
    this.#remove();
  }

  async #listen(): Promise<void> {
    prepareSocketFolder(this.#folder);
    this.#servers.push(await listenOnSocket(this.#app, this.#path));
    this.#remove = removalOf(this.#path);
  }
}
