import type { Files } from '../../tools/index.ts';
import { refusal } from './file-error.ts';
import { pathInWorkspace, rejectProtected } from './workspace-path.ts';

const ROOT = '.';

/** A workspace without files, as the base of an overlay that holds all content in memory. */
export class EmptyFiles implements Files {
  async locate(path: string, purpose: 'read' | 'write'): Promise<string> {
    const inside = pathInWorkspace(path, '/');
    rejectProtected(inside, purpose);
    return inside;
  }

  async stat(path: string): ReturnType<Files['stat']> {
    const inside = await this.locate(path, 'read');
    return inside === ROOT ? { path: inside, kind: 'directory', bytes: 0 } : undefined;
  }

  async list(path: string): ReturnType<Files['list']> {
    const inside = await this.locate(path, 'read');
    if (inside !== ROOT) throw refusal('ENOENT', path);
    return { path: inside, entries: [], truncated: false, unreadable: [] };
  }

  // biome-ignore lint/correctness/useYield: there are no files.
  async *walk(): AsyncGenerator<never> {
    return;
  }

  // biome-ignore lint/correctness/useYield: there are no files.
  async *pieces(path: string): AsyncGenerator<never> {
    await this.#missing(path);
  }

  async digest(): Promise<undefined> {
    return undefined;
  }

  read = (path: string): Promise<never> => this.#missing(path);
  remove = (path: string): Promise<never> => this.#missing(path);
  copy = (from: string): Promise<never> => this.#missing(from);
  move = (from: string): Promise<never> => this.#missing(from);
  writeAtomic = (path: string): Promise<never> => this.#readOnly(path);
  makeFolder = (path: string): Promise<never> => this.#readOnly(path);
  place = (path: string): Promise<never> => this.#readOnly(path);

  async state(): Promise<undefined> {
    return undefined;
  }

  async #missing(path: string): Promise<never> {
    throw refusal('ENOENT', path);
  }

  async #readOnly(path: string): Promise<never> {
    throw refusal('EROFS', path);
  }
}
