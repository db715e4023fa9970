import { nearestName } from '../../kernel/index.ts';
import { NEVER_IN_TREE } from '../tree/ignore-rules.ts';
import type { NodeRecord, WorkspaceTree } from '../types.ts';
import { frameError } from './frame-error.ts';
import { childPath, showPath } from './paths.ts';

const ID_PREFIX = /^[0-9a-f]{4,64}$/;
const SHORT = 12;

/** The node that a person names by its path, or by a beginning of its id that no other shares. */
export async function resolveNode(tree: WorkspaceTree, name: string): Promise<NodeRecord> {
  if ((await tree.root()) === undefined) {
    throw frameError(
      'context.not_scanned',
      'the tree of this workspace is not known yet, so no node of it is; run: oka context scan.',
    );
  }
  const path = normalPath(name);
  const named = path === undefined ? undefined : await nodeAt(tree, path);
  if (named) return named;
  if (ID_PREFIX.test(name)) {
    const [first, second] = await tree.byId(name);
    if (first && second) throw ambiguous(name, [first, second]);
    if (first) return first;
  }
  throw await unknown(tree, name, path);
}

/** The node of a path as the tree writes it, or as the file system does, where a backslash is not doubled. */
async function nodeAt(tree: WorkspaceTree, path: string): Promise<NodeRecord | undefined> {
  const found = await tree.node(path);
  return found || !path.includes('\\') ? found : tree.node(path.replaceAll('\\', '\\\\'));
}

/** A path as the tree knows it; undefined for one that leads out of the workspace. */
export function normalPath(name: string): string | undefined {
  if (name.startsWith('/')) return undefined;
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  return parts.includes('..') ? undefined : parts.join('/');
}

function ambiguous(name: string, nodes: readonly NodeRecord[]) {
  const shown = nodes.map(({ id, path }) => `${id.slice(0, SHORT)} (${showPath(path)})`).join(' and ');
  return frameError(
    'context.node_ambiguous',
    `"${name}" begins several node ids, such as ${shown}; give more of the id, or the path.`,
    { node: name, nodes: nodes.map(({ id, path }) => ({ id, path })) },
  );
}

async function unknown(tree: WorkspaceTree, name: string, path: string | undefined) {
  const message = `there is no node "${name}" in the tree as last scanned. ${await hintFor(tree, path)}`;
  return frameError('context.node_unknown', message, { node: name });
}

/** Why there is no such node, as far as that shows, and what to do. */
async function hintFor(tree: WorkspaceTree, path: string | undefined): Promise<string> {
  if (path === undefined)
    return 'Paths begin in the workspace and do not leave it; give one like "src/main.ts".';
  const never = path.split('/').find((part) => NEVER_IN_TREE.has(part));
  if (never !== undefined) return `${never} is never part of the tree; name something beside it.`;
  const { near, barrier } = await searchFor(tree, path);
  if (barrier?.kind === 'link')
    return `${barrier.path} is a link, and links are not followed; give the path that it leads to.`;
  if (barrier) return `${barrier.path} is a file, so nothing lies below it; give another path.`;
  const isNew =
    'If it is new, run: oka context scan. What ignore files leave out is no node, nor are pipes, sockets and what may not be read.';
  return near === undefined ? isNew : `Did you mean "${near}"? ${isNew}`;
}

/** The way to a path, as far as it goes: to something that nothing can lie below, or to a name that is near. */
async function searchFor(
  tree: WorkspaceTree,
  path: string,
): Promise<{ readonly near?: string | undefined; readonly barrier?: NodeRecord }> {
  let at = '';
  for (const part of path.split('/')) {
    const next = childPath(at, part);
    const found = await tree.node(next);
    if (found && found.kind !== 'directory') return { barrier: found };
    if (!found) return { near: await nearestPath(tree, at, path) };
    at = next;
  }
  return {};
}

/** The path that was probably meant: a name that is near in the last folder that is there. */
async function nearestPath(tree: WorkspaceTree, folder: string, path: string): Promise<string | undefined> {
  const rest = folder === '' ? path : path.slice(folder.length + 1);
  const [part = '', ...below] = rest.split('/');
  const names = (await tree.children(folder)).map(({ name }) => name);
  const near = nearestName(part, names);
  if (near === undefined) return undefined;
  const meant = [childPath(folder, near), ...below].join('/');
  return (await tree.node(meant)) ? meant : childPath(folder, near);
}
