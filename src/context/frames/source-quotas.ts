import type { Candidate, CompositionSource } from './context-view.ts';
import { invalid } from './frame-error.ts';

/** At most this many frames of each source. */
export type SourceQuotas = { readonly [source in CompositionSource]?: number };

/**
 * Chooses up to `maxFrames` of the ordered candidates. Every source gets the same share; what a source does not need
 * goes to the others. A quota limits a source further.
 */
export function chooseBySource<Item extends Pick<Candidate, 'source'>>(
  ordered: readonly Item[],
  maxFrames: number,
  quotas: SourceQuotas = {},
): readonly Item[] {
  const wanted = new Map<CompositionSource, number>();
  for (const { source } of ordered)
    wanted.set(source, Math.min((wanted.get(source) ?? 0) + 1, quotas[source] ?? Number.POSITIVE_INFINITY));
  const room = shareOut(wanted, maxFrames);
  return ordered.filter(({ source }) => {
    const left = room.get(source) ?? 0;
    room.set(source, left - 1);
    return left > 0;
  });
}

/** Gives each source an equal share of the total, in rounds, until nothing is left or nobody needs more. */
function shareOut(
  wanted: ReadonlyMap<CompositionSource, number>,
  total: number,
): Map<CompositionSource, number> {
  const given = new Map<CompositionSource, number>();
  for (let left = total; left > 0; ) {
    const open = [...wanted].filter(([source, need]) => need > (given.get(source) ?? 0));
    if (open.length === 0) break;
    const share = Math.max(1, Math.floor(left / open.length));
    for (const [source, need] of open) {
      const before = given.get(source) ?? 0;
      const more = Math.min(share, need - before, left);
      given.set(source, before + more);
      left -= more;
    }
  }
  return given;
}

export function checkQuotas(quotas: SourceQuotas, sources: readonly CompositionSource[]): void {
  for (const [source, quota] of Object.entries(quotas)) {
    if (!Number.isInteger(quota) || quota < 0)
      throw invalid('quotas', `Invalid quota of ${source}: expected a whole number from 0 on.`);
    if (!(sources as readonly string[]).includes(source))
      throw invalid('quotas', `The quota of ${source} has no effect: the sources are ${sources.join(', ')}.`);
  }
}
