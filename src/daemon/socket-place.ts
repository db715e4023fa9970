import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { OkaError } from '../api/index.ts';

/** What the smallest of the systems that Oka runs on takes for the address of a socket. */
const LONGEST_PATH_BYTES = 103;

/** Makes the folder of sockets ready: the person's own, closed to others, and no link. */
export function prepareSocketFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw refused(folder, `${folder} cannot be made (${(error as NodeJS.ErrnoException).code})`);
  }
  const found = lstatSync(folder);
  const own = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !own) throw refused(folder, `${folder} is not a folder of your own`);
  chmodSync(folder, 0o700);
}

/** Refuses a path that the system would cut. */
export function checkSocketPath(path: string): void {
  const length = Buffer.byteLength(path);
  if (length > LONGEST_PATH_BYTES)
    throw refused(
      path,
      `${path} is too long for a socket: ${length} bytes, of at most ${LONGEST_PATH_BYTES}`,
    );
}

function refused(path: string, why: string): OkaError {
  return new OkaError(
    'daemon.socket_refused',
    `${why}, so the daemon cannot listen there; set XDG_RUNTIME_DIR to a folder of yours with a short path.`,
    { data: { path } },
  );
}

/** What removes the socket that stands there now, unless another daemon has put its own in its place since. */
export function removalOf(path: string): () => void {
  const { dev, ino } = lstatSync(path);
  return () => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.dev === dev && found.ino === ino) rmSync(path, { force: true });
  };
}
