import fc from 'fast-check';

const WHOLE = process.env['OKA_EXHAUSTIVE'] === '1';

/**
 * Checks that a property holds for many sequences: a few in `npm test`, at least a thousand in `npm run
 * test:exhaustive`. A failure prints seed and path (OKA_SEED, OKA_PATH).
 */
export async function holdsFor<Sequence>(
  sequences: fc.Arbitrary<Sequence>,
  check: (sequence: Sequence) => Promise<void>,
  count: { readonly few: number; readonly whole: number } = { few: 8, whole: 1_000 },
): Promise<void> {
  const path = process.env['OKA_PATH'];
  await fc.assert(fc.asyncProperty(sequences, check), {
    numRuns: WHOLE ? count.whole : count.few,
    ...(path === undefined ? {} : { path }),
    verbose: fc.VerbosityLevel.None,
  });
}

/** The sequences that pay for a disk: fewer of them. */
export const ON_DISK = { few: 1, whole: 100 };
