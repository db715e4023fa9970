import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const NAME = 'active_task_graph.json';

/** The file `active_task_graph.json`. It is only ever replaced whole, and nothing reads it but whoever checks it. */
export class TaskGraphJson {
  readonly file: string;

  constructor(directory: string) {
    this.file = join(directory, NAME);
  }

  /** What stands in the file; undefined when there is none. */
  read(): string | undefined {
    try {
      return readFileSync(this.file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
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
