/** Something that holds files open. */
interface Closable {
  close(): void;
}

/** One tree for each workspace that is open, by its folder, so that its scans wait for each other. */
const trees = new WeakMap<object, Closable>();

/** The tree of a workspace, opened on first use. */
export function openedTree<Tree extends Closable>(folder: object, open: () => Tree): Tree {
  const known = (trees.get(folder) as Tree | undefined) ?? open();
  trees.set(folder, known);
  return known;
}

/** Lets go of the files of a workspace's tree. */
export function closeTree(folder: object): void {
  trees.get(folder)?.close();
}
