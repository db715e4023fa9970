import type { WorkspaceTree } from '../types.ts';
import { parentOf } from './paths.ts';

/** Which version stands at a path, for asking about many paths at one moment: each folder is looked at once. */
export class NodeVersions {
  readonly #tree: WorkspaceTree;
  readonly #folders = new Map<string, ReadonlyMap<string, string>>();

  constructor(tree: WorkspaceTree) {
    this.#tree = tree;
  }

  /** Undefined where nothing stands any more. */
  async versionOf(path: string): Promise<string | undefined> {
    const parent = parentOf(path);
    if (parent === null) return this.#tree.root();
    let folder = this.#folders.get(parent);
    if (folder === undefined) {
      folder = new Map((await this.#tree.children(parent)).map(({ name, id }) => [name, id]));
      this.#folders.set(parent, folder);
    }
    return folder.get(parent === '' ? path : path.slice(parent.length + 1));
  }
}
