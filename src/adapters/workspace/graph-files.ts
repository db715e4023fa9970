import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { OkaError } from '../../kernel/index.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/;
const LARGEST_BYTES = 64 * 1024 * 1024;

/** A graph's file, as it stands. */
export interface GraphFile {
  readonly path: string;
  readonly text: string;
}

/** The files that hold graphs: those of the workspace's own folder by id, and any other by path. */
export class GraphFiles {
  readonly #workspace: string;
  readonly #folder: string;

  constructor(workspace: string, directory: string) {
    this.#workspace = workspace;
    this.#folder = join(directory, 'graphs');
  }

  /** Every graph file of the workspace's own folder, by name. */
  list(): readonly GraphFile[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => this.#read(join(this.#folder, name)))
      .filter((file) => file !== undefined);
  }

  ids(): readonly string[] {
    return this.list().map(({ path }) => basename(path, '.json'));
  }

  /** The file that an id or a path means; paths are relative to `from`, else to the workspace. */
  find(name: string, from?: string): GraphFile | undefined {
    if (ID.test(name)) {
      const own = this.#read(join(this.#folder, `${name}.json`));
      if (own) return own;
    }
    const places = isAbsolute(name)
      ? [name]
      : [...(from === undefined ? [] : [resolve(dirname(from), name)]), resolve(this.#workspace, name)];
    for (const place of places) {
      const found = this.#read(place) ?? (place.endsWith('.json') ? undefined : this.#read(`${place}.json`));
      if (found) return found;
    }
    return undefined;
  }

  pathOf(id: string): string {
    if (!ID.test(id))
      throw new OkaError('graph.invalid', `"${id}" cannot be a file's name; use letters, digits, - and _.`);
    return join(this.#folder, `${id}.json`);
  }

  /** As people name it: relative to the workspace where it lies in it. */
  shown(path: string): string {
    const inside = relative(this.#workspace, path);
    return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
  }

  /** Replaces the whole file or leaves it as it was. */
  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const part = `${path}.${process.pid}.part`;
    try {
      const file = openSync(part, 'wx', 0o600);
      try {
        writeFileSync(file, text);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
    const folder = openSync(dirname(path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }

  /** Keeps a version that is about to be replaced. Answers with where. */
  keep(id: string, version: string, text: string): string {
    const safe = version.replaceAll(/[^A-Za-z0-9_.-]/g, '_').slice(0, 50);
    const folder = join(this.#folder, 'versions');
    let path = join(folder, `${id}@${safe}.json`);
    for (let copy = 2; existsSync(path); copy++) {
      if (readFileSync(path, 'utf8') === text) return path;
      path = join(folder, `${id}@${safe}.${copy}.json`);
    }
    this.write(path, text);
    return path;
  }

  #read(path: string): GraphFile | undefined {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile()) return undefined;
    if (stat.size > LARGEST_BYTES)
      throw new OkaError('graph.invalid', `${path} is larger than ${LARGEST_BYTES} bytes; that is no graph.`);
    return { path, text: readFileSync(path, 'utf8') };
  }
}
