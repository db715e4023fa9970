import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const NAME = 'active_task_graph.json';
const LARGEST_BYTES = 64 * 1024 * 1024;
/** Stands for what nobody here has written; no task graph reads like it. */
const NOT_OURS = '';

/** The file `active_task_graph.json`. It is only ever replaced whole, and nothing reads it but whoever checks it. */
export class TaskGraphJson {
  readonly file: string;

  constructor(directory: string) {
    this.file = join(directory, NAME);
  }

  /** What stands in the file; undefined when there is none. Nothing is read through a link, a pipe or the like. */
  read(): string | undefined {
    const found = lstatSync(this.file, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    return found.isFile() && found.size <= LARGEST_BYTES ? readFileSync(this.file, 'utf8') : NOT_OURS;
  }

  /** Replaces the file. A link that stands there, or in the way, is replaced and never followed. */
  write(text: string): void {
    const temporary = `${this.file}.${process.pid}.new`;
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

  /** Removes what a process that died while writing has left behind. */
  tidy(): void {
    const left = new RegExp(`^${NAME.replace('.', '\\.')}\\.\\d+\\.new$`);
    for (const name of readdirSync(dirname(this.file)))
      if (left.test(name) && name !== `${basename(this.file)}.${process.pid}.new`)
        rmSync(join(dirname(this.file), name), { force: true });
  }
}
