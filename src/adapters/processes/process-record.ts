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

/** What a background process says of itself, for people and for whoever started it. */
export interface RecordedProcess {
  readonly pid: number;
  /** `pid@host#start`: a pid that was given to another process since does not fit it. */
  readonly owner: string;
  readonly startedAt: number;
  /** The file that its output goes to. */
  readonly log: string;
}

/**
 * The file `<folder>/<name>.json` in which a background process says that it is there and ready. It is no lock: whoever
 * reads it must ask whether the owner lives, and what a dead process left is simply replaced.
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

  /** Undefined when there is none, or none that can be read. */
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
    // A link that stands under this name goes with the file before it is made anew.
    rmSync(this.#file, { force: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const descriptor = openSync(this.#file, flags, 0o600);
    try {
      writeFileSync(descriptor, `${JSON.stringify({ ...record, log: this.log }, null, 2)}\n`);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Takes the record away, unless it is another's. */
  remove(owner: string): void {
    if (this.read()?.owner === owner) rmSync(this.#file, { force: true });
  }
}

function refuseLink(folder: string): void {
  if (!lstatSync(folder).isSymbolicLink()) return;
  throw new OkaError(
    'config.link_refused',
    `${folder} is a link, and Oka follows none here; replace it by a folder, or remove it.`,
    { data: { path: folder } },
  );
}
