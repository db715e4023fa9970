import fc from 'fast-check';

/** The seed of sampled walks and of generated cases: the same ones each time, and others with another OKA_SEED. */
export const RUN_SEED = Number(process.env['OKA_SEED'] ?? 20774);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: RUN_SEED });

/** One in `parts` of the items; `parts` consecutive seeds cover all of them. */
export function shareOf<Item>(items: readonly Item[], parts: number): readonly Item[] {
  return items.filter((_, i) => (i + RUN_SEED) % parts === 0);
}
