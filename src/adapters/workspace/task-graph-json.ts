import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRegularFile, temporaryFor } from '../../disk/index.ts';

const NAME = 'active_task_graph.json';
const MAX_BYTES = 64 * 1024 * 1024;
/** The result for content that Oka did not write; no task graph equals it. */
const FOREIGN = '';

/** The file `active_task_graph.json`. It is replaced as a whole, and read only to check it. */
export class TaskGraphJson {
  readonly file: string;

  constructor(directory: string) {
    this.file = join(directory, NAME);
  }

  /** The content of the file; undefined if it does not exist. Does not read through links or pipes. */
  read(): string | undefined {
    const found = readRegularFile(this.file, { maxBytes: MAX_BYTES, root: dirname(this.file) });
    if ('bytes' in found) return found.bytes.toString('utf8');
    return found.refused === 'missing' ? undefined : FOREIGN;
  }

  /** Replaces the file. A link at its path is replaced and never followed. */
  write(text: string): void {
    const temporary = temporaryFor(this.file);
    rmSync(temporary, { force: true });
    try {
      writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
      renameSync(temporary, this.file);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }
}
