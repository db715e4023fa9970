import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { OkaError } from '../../kernel/index.ts';

/** The file that holds a server's token for programs of the same user. */
export class TokenFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  write(token: string): void {
    const folder = dirname(this.path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (lstatSync(folder).isSymbolicLink()) {
      throw new OkaError(
        'config.link_refused',
        `${folder} is a symbolic link, which Oka does not follow. Remove it.`,
        {
          data: { path: folder },
        },
      );
    }
    // Also removes a symbolic link of this name.
    rmSync(this.path, { force: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const descriptor = openSync(this.path, flags, 0o600);
    try {
      writeFileSync(descriptor, `${token}\n`);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes the token unless another server has replaced it. */
  remove(token: string): void {
    try {
      if (readFileSync(this.path, 'utf8') === `${token}\n`) rmSync(this.path, { force: true });
    } catch {
      // Already removed.
    }
  }
}
