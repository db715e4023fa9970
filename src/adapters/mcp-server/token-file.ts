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

/** The file in which a server leaves its token for programs of the same person. */
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
        `${folder} is a link, and links are not followed; take it away.`,
        {
          data: { path: folder },
        },
      );
    }
    // A link that stands under this name goes with the file before it is made anew.
    rmSync(this.path, { force: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const descriptor = openSync(this.path, flags, 0o600);
    try {
      writeFileSync(descriptor, `${token}\n`);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Takes the token away, unless another server has put its own there since. */
  remove(token: string): void {
    try {
      if (readFileSync(this.path, 'utf8') === `${token}\n`) rmSync(this.path, { force: true });
    } catch {
      // Somebody has taken it away already.
    }
  }
}
