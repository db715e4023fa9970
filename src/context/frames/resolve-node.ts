import { didYouMean, nearestName } from '../../kernel/index.ts';
import type { NodeRecord, WorkspaceTree } from '../types.ts';
import { frameError } from './frame-error.ts';
import { childPath, parentOf, showPath } from './paths.ts';

const ID_PREFIX = /^[0-9a-f]{4,64}$/;
const SHORT = 12;

/** The node that a person names by its path, or by a beginning of its id that no other shares. */
export async function resolveNode(tree: WorkspaceTree, name: string): Promise<NodeRecord> {
  if ((await tree.root()) === undefined) {
    throw frameError(
      'context.not_scanned',
      'this workspace was never scanned, so no node of it is known; run: oka context scan.',
    );
  }
  const path = normalPath(name);
  const named = path === undefined ? undefined : await tree.node(path);
  if (named) return named;
  if (ID_PREFIX.test(name)) {
    const [first, second] = await tree.byId(name);
    if (first && second) throw ambiguous(name, [first, second]);
    if (first) return first;
  }
  throw await unknown(tree, name, path);
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
  const hint = didYouMean(
    path === undefined ? undefined : await nearestPath(tree, path),
    'Give a path relative to the workspace; if it is new, run: oka context scan.',
  );
  return frameError(
    'context.node_unknown',
    `there is no node "${name}" in the tree as last scanned. ${hint}`,
    {
      node: name,
    },
  );
}

/** The path that was probably meant: a name that is near in the last folder that is there. */
async function nearestPath(tree: WorkspaceTree, path: string): Promise<string | undefined> {
  let at = '';
  for (const part of path.split('/')) {
    const next = childPath(at, part);
    const found = await tree.node(next);
    if (found) {
      at = next;
      continue;
    }
    const names = (await tree.children(at)).map(({ name }) => name);
    const near = nearestName(part, names);
    if (near === undefined) return undefined;
    const meant = childPath(at, near) + path.slice(next.length);
    if (await tree.node(meant)) return meant;
    return childPath(at, near);
  }
  return parentOf(path) ?? undefined;
}
