import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { OkaError } from '../api/index.ts';

/** Makes the folder of sockets ready: the person's own, closed to others, and no link. */
export function prepareSocketFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const own = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !own) {
    throw new OkaError(
      'daemon.socket_refused',
      `${folder} is not a folder of your own, so the daemon does not listen there; remove it, or set XDG_RUNTIME_DIR to a folder of yours.`,
      { data: { folder } },
    );
  }
  chmodSync(folder, 0o700);
}

/** What removes the socket that stands there now, unless another daemon has put its own in its place since. */
export function removalOf(path: string): () => void {
  const { dev, ino } = lstatSync(path);
  return () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) rmSync(path, { force: true });
  };
}
