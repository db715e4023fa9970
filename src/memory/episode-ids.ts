import type { Episode } from './types.ts';

/** Stands between a namespace and an id that somebody gave. */
const MARK = '#';

/**
 * The id that an episode is kept under whose id was given. Whoever brings episodes in numbers them as they like, so that the
 * same id may stand in many namespaces; this one stands once in the workspace.
 */
export function keptEpisodeId(namespace: string, given: string): string {
  return `${namespace.replaceAll('%', '%25').replaceAll(MARK, '%23')}${MARK}${given}`;
}

/** The id of an episode as its giver knows it; where none was given, the one that it is kept under. */
export function givenEpisodeId({ namespace, id }: Pick<Episode, 'namespace' | 'id'>): string {
  const prefix = keptEpisodeId(namespace, '');
  return id.startsWith(prefix) ? id.slice(prefix.length) : id;
}
