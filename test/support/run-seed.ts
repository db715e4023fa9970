/** The seed of the walks that take a share. Another OKA_SEED walks what this one leaves out. */
export const RUN_SEED = Number(process.env['OKA_SEED'] ?? 20774);

/** One in `parts` of the items; as many consecutive seeds have them all. */
export function shareOf<Item>(items: readonly Item[], parts: number): readonly Item[] {
  return items.filter((_, i) => (i + RUN_SEED) % parts === 0);
}
