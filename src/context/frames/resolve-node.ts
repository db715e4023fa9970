import { nearestName } from '../../kernel/index.ts';
import { pathIn, showPath } from '../paths.ts';
import { NEVER_IN_TREE } from '../tree/ignore-rules.ts';
import type { NodeRecord, WorkspaceTree } from '../types.ts';
import { frameError } from './frame-error.ts';
import { pathsFor } from './node-names.ts';

const ID_PREFIX = /^[0-9a-f]{4,64}$/;
const SHORT_ID_LENGTH = 12;

/** Resolves a path or a unique prefix of a node id. */
export async function resolveNode(tree: WorkspaceTree, name: string): Promise<NodeRecord> {
  if ((await tree.root()) === undefined) {
    throw frameError('context.not_scanned', 'The workspace has not been scanned yet. Run: oka context scan');
  }
  const paths = pathsFor(name, tree.folder);
  for (const path of paths) {
    const named = await tree.node(path);
    if (named) return named;
  }
  if (ID_PREFIX.test(name)) {
    const [first, second] = await tree.byId(name);
    if (first && second) throw ambiguous(name, [first, second]);
    if (first) return first;
  }
  throw await unknown(tree, name, paths[0]);
}

function ambiguous(name: string, nodes: readonly NodeRecord[]) {
  const shown = nodes
    .map(({ id, path }) => `${id.slice(0, SHORT_ID_LENGTH)} (${showPath(path)})`)
    .join(' and ');
  return frameError(
    'context.node_ambiguous',
    `"${name}" is the prefix of several node ids, such as ${shown}. Give more of the id, or the path.`,
    { node: name, nodes: nodes.map(({ id, path }) => ({ id, path })) },
  );
}

async function unknown(tree: WorkspaceTree, name: string, path: string | undefined) {
  const message = `No node "${name}" in the workspace. ${await hintFor(tree, path)}`;
  return frameError('context.node_unknown', message, { node: name });
}

/** Why the node is missing, if known, and what to do. */
async function hintFor(tree: WorkspaceTree, path: string | undefined): Promise<string> {
  if (path === undefined)
    return 'Paths are relative to the workspace, such as "src/main.ts", or absolute inside it.';
  const never = path.split('/').find((part) => NEVER_IN_TREE.has(part));
  if (never !== undefined) return `${never} is never part of the tree.`;
  const { near, barrier } = await searchFor(tree, path);
  if (barrier?.kind === 'link')
    return `${barrier.path} is a link, and links are not followed. Use the path of its target.`;
  if (barrier) return `${barrier.path} is a file, not a folder.`;
  const others = 'Ignored paths, pipes, sockets and unreadable files are not part of the tree.';
  return near === undefined ? others : `Did you mean "${near}"? ${others}`;
}

/** Follows a path to the first entry that is no folder, or to the first missing name. */
async function searchFor(
  tree: WorkspaceTree,
  path: string,
): Promise<{ readonly near?: string | undefined; readonly barrier?: NodeRecord }> {
  let at = '';
  for (const part of path.split('/')) {
    const next = pathIn(at, part);
    const found = await tree.node(next);
    if (found && found.kind !== 'directory') return { barrier: found };
    if (!found) return { near: await nearestPath(tree, at, path) };
    at = next;
  }
  return {};
}

/** The probably intended path: a similar name in the last existing folder. */
async function nearestPath(tree: WorkspaceTree, folder: string, path: string): Promise<string | undefined> {
  const rest = folder === '' ? path : path.slice(folder.length + 1);
  const [part = '', ...below] = rest.split('/');
  const names = (await tree.children(folder)).map(({ name }) => name);
  const near = nearestName(part, names);
  if (near === undefined) return undefined;
  const meant = [pathIn(folder, near), ...below].join('/');
  return (await tree.node(meant)) ? meant : pathIn(folder, near);
}
