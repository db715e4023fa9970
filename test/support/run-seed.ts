/** The seed of sampled walks. Another OKA_SEED takes another sample. */
export const RUN_SEED = Number(process.env['OKA_SEED'] ?? 20774);

/** One in `parts` of the items; `parts` consecutive seeds cover all of them. */
export function shareOf<Item>(items: readonly Item[], parts: number): readonly Item[] {
  return items.filter((_, i) => (i + RUN_SEED) % parts === 0);
}
