import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, readJsonFile, writeNewFile } from '../../disk/index.ts';

/** The self-description of a background process. */
export interface RecordedProcess {
  readonly pid: number;
  /** `pid@host#start`: does not match a reused pid. */
  readonly owner: string;
  readonly startedAt: number;
  /** The file that receives its output. */
  readonly log: string;
}

/**
 * The file `<folder>/<name>.json` in which a background process records that it is ready. It is no lock: readers must check
 * whether the owner is alive, and the record of a dead process is replaced.
 */
export class ProcessRecord {
  readonly log: string;
  readonly #folder: string;
  readonly #file: string;

  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#file = join(folder, `${name}.json`);
    this.log = join(folder, `${name}.log`);
  }

  /** Undefined if there is no readable record. */
  read(): RecordedProcess | undefined {
    try {
      return readJsonFile(this.#file) as RecordedProcess;
    } catch {
      return undefined;
    }
  }

  write(record: Omit<RecordedProcess, 'log'>): void {
    makePrivateFolder(this.#folder);
    // Also removes a symbolic link of this name.
    rmSync(this.#file, { force: true });
    writeNewFile(this.#file, `${JSON.stringify({ ...record, log: this.log }, null, 2)}\n`);
  }

  /** Removes the record if this owner wrote it. */
  remove(owner: string): void {
    if (this.read()?.owner === owner) rmSync(this.#file, { force: true });
  }
}
