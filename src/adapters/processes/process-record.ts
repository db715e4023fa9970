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
import { join } from 'node:path';
import { OkaError } from '../../kernel/index.ts';

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
      return JSON.parse(readFileSync(this.#file, 'utf8')) as RecordedProcess;
    } catch {
      return undefined;
    }
  }

  write(record: Omit<RecordedProcess, 'log'>): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    refuseLink(this.#folder);
    // Also removes a symbolic link of this name.
    rmSync(this.#file, { force: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const descriptor = openSync(this.#file, flags, 0o600);
    try {
      writeFileSync(descriptor, `${JSON.stringify({ ...record, log: this.log }, null, 2)}\n`);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes the record if this owner wrote it. */
  remove(owner: string): void {
    if (this.read()?.owner === owner) rmSync(this.#file, { force: true });
  }
}

function refuseLink(folder: string): void {
  if (!lstatSync(folder).isSymbolicLink()) return;
  throw new OkaError(
    'config.link_refused',
    `${folder} is a symbolic link, which Oka does not follow here. Replace it with a folder, or remove it.`,
    { data: { path: folder } },
  );
}
