import { groupBy } from '../../kernel/index.ts';
import { pathIn } from '../paths.ts';
import type { ChildRef } from '../types.ts';
import { headStates, type RestsOnStale, StaleCauses, type StatedHead } from './head-states.ts';
import type { ContextParts } from './ports.ts';
import { resolveLineage } from './read-context.ts';

type HeadWithState = Pick<StatedHead, 'type' | 'frame' | 'recipe' | 'at' | 'state' | 'uncheckedSince'> & {
  readonly restsOnStale?: RestsOnStale;
};

interface Child extends Pick<ChildRef, 'name' | 'kind'> {
  readonly path: string;
  readonly heads: readonly HeadWithState[];
  /** The number of heads below it that are outdated. */
  readonly staleBelow: number;
}

const MAX_CAUSES_LISTED = 3;

/** Which children: up to `limit`, after the one with this place and name. */
export interface ChildrenPage {
  readonly limit: number;
  readonly after?: { readonly at: number; readonly id: string };
}

export interface Children {
  readonly path: string;
  readonly heads: readonly HeadWithState[];
  readonly children: readonly Child[];
  /** The place of the first of them in the directory. */
  readonly start: number;
}

/** Children of a directory with their heads, after a child if one is given. A file has none. */
export async function listChildren(
  parts: ContextParts,
  name: string,
  { limit, after }: ChildrenPage,
): Promise<Children> {
  const { path } = await resolveLineage(parts, name);
  const all = await parts.tree.children(path);
  // Where the child is gone meanwhile, its place is nearly right.
  const found = after === undefined ? -1 : all.findIndex((child) => child.name === after.id);
  const start = after === undefined ? 0 : (found < 0 ? after.at : found) + 1;
  const heads = groupBy(await headStates(parts, path), (head) => childOf(path, head.path));
  const causes = new StaleCauses(parts);
  const view = async (head: StatedHead): Promise<HeadWithState> => {
    const { type, frame, recipe, at, state, uncheckedSince } = head;
    const since = uncheckedSince === undefined ? {} : { uncheckedSince };
    return { type, frame, recipe, at, state, ...since, ...(await causes.mark(head, MAX_CAUSES_LISTED)) };
  };
  const children = all.slice(start, start + limit).map(async ({ name, kind }) => {
    const own = pathIn(path, name);
    const within = heads.get(name) ?? [];
    const isBelow = (head: StatedHead) =>
      head.path !== own && head.state !== 'fresh' && head.state !== 'not_checked';
    return {
      ...{ path: own, name, kind },
      heads: await Promise.all(within.filter((head) => head.path === own).map(view)),
      staleBelow: within.filter(isBelow).length,
    };
  });
  return {
    path,
    heads: await Promise.all((heads.get('') ?? []).map(view)),
    start,
    children: await Promise.all(children),
  };
}

/** The name of the child that a path is in; empty for the directory itself. */
function childOf(directory: string, path: string): string {
  if (path === directory) return '';
  const rest = directory === '' ? path : path.slice(directory.length + 1);
  return rest.split('/', 1)[0] as string;
}
