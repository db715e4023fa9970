import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { makePrivateFolder, replaceFile } from '../../disk/index.ts';
import { OkaError } from '../../kernel/index.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/;
const MAX_BYTES = 64 * 1024 * 1024;

/** A graph file and its content. */
export interface GraphFile {
  readonly path: string;
  readonly text: string;
}

/** Graph files: by ID in the workspace's own folder, or by path. */
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

  /** Finds a file by ID or path; paths are relative to `from`, else to the workspace. */
  find(name: string, from?: string): GraphFile | undefined {
    // No path contains it, and Node rejects it without a code.
    if (name.includes('\0')) return undefined;
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
      throw new OkaError('graph.invalid', `"${id}" is not a valid file name: use letters, digits, - and _.`);
    return join(this.#folder, `${id}.json`);
  }

  /** The displayed path: relative to the workspace for files inside it. */
  shown(path: string): string {
    const inside = relative(this.#workspace, path);
    return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
  }

  /** Replaces the file atomically. The folder for graphs may not be a link, which a cloned workspace could make it. */
  write(path: string, text: string): void {
    if (path.startsWith(`${this.#folder}${sep}`)) makePrivateFolder(this.#folder);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, text);
  }

  /** The kept versions of a graph with the times at which they were written. */
  kept(id: string): readonly (GraphFile & { readonly at: number })[] {
    const folder = join(this.#folder, 'versions');
    if (!ID.test(id) || !existsSync(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name.startsWith(`${id}@`) && name.endsWith('.json'))
      .flatMap((name) => {
        const file = this.#read(join(folder, name));
        return file === undefined ? [] : [{ ...file, at: this.writtenAt(file.path) }];
      });
  }

  writtenAt(path: string): number {
    return Math.round(statSync(path).mtimeMs);
  }

  /** Stores a version that is about to be replaced and returns its path. */
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
    if (stat.size > MAX_BYTES)
      throw new OkaError(
        'graph.invalid',
        `${path} is larger than ${MAX_BYTES} bytes, the limit for a graph.`,
      );
    return { path, text: readFileSync(path, 'utf8') };
  }
}
