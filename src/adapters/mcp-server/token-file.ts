import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder, writeNewFile } from '../../disk/index.ts';

/** The file that holds a server's token for programs of the same user. */
export class TokenFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  write(token: string): void {
    makePrivateFolder(dirname(this.path));
    // Also removes a symbolic link of this name.
    rmSync(this.path, { force: true });
    writeNewFile(this.path, `${token}\n`);
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
