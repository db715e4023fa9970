import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isBelow, makePrivateFolder, readRegularFile, replaceFile } from '../../disk/index.ts';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import { explainRefusal } from './plain-file.ts';

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

  /** Every graph file of the workspace's own folder that can be read, by name. */
  list(): readonly GraphFile[] {
    if (!isFolder(this.#folder)) return [];
    return readdirSync(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .sort()
      .flatMap((name) => this.#readable(join(this.#folder, name)));
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
    if (!ID.test(id) || !isFolder(folder)) return [];
    return readdirSync(folder)
      .filter((name) => name.startsWith(`${id}@`) && name.endsWith('.json'))
      .flatMap((name) => this.#readable(join(folder, name)))
      .map((file) => ({ ...file, at: this.writtenAt(file.path) }));
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
      if (this.#read(path)?.text === text) return path;
      path = join(folder, `${id}@${safe}.${copy}.json`);
    }
    this.write(path, text);
    return path;
  }

  /** A link or an unreadable file does not keep the others from being used. */
  #readable(path: string): readonly GraphFile[] {
    try {
      return [this.#read(path) ?? []].flat();
    } catch (error) {
      if (isOkaError(error, 'graph.invalid')) return [];
      throw error;
    }
  }

  /** A file of the workspace is read only if it really is in the workspace; another one may be anywhere. */
  #read(path: string): GraphFile | undefined {
    const inside = isBelow(this.#workspace, path) ? { root: this.#workspace, links: 'inside' as const } : {};
    const found = readRegularFile(path, { maxBytes: MAX_BYTES, ...inside });
    if ('bytes' in found) return { path, text: found.bytes.toString('utf8') };
    const { refused } = found;
    if (refused === 'missing' || refused === 'not_a_file') return undefined;
    const { message, next } = explainRefusal(refused, { maxBytes: MAX_BYTES, shorten: 'Split the graph.' });
    throw new OkaError('graph.invalid', `${path} is not read: ${message}. ${next}`, { data: { path } });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
