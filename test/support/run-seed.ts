/**
 * The seed of the exhaustive tests. It is the number of the day, so that another day walks what this one leaves out. The run prints
 * it, and OKA_SEED repeats that of another day.
 */
export const RUN_SEED = Number(process.env['OKA_SEED'] ?? Math.floor(Date.now() / 86_400_000));

/** One in `parts` of the items; as many consecutive seeds have them all. */
export function shareOf<Item>(items: readonly Item[], parts: number): readonly Item[] {
  return items.filter((_, i) => (i + RUN_SEED) % parts === 0);
}
