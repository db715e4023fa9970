import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { OkaError } from '../api/index.ts';

/** The smallest limit of socket addresses on the supported systems. */
const MAX_PATH_BYTES = 103;

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
export function checkSocketPath(path: string): void {
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
