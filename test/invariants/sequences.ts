import fc from 'fast-check';

const WHOLE = process.env['OKA_EXHAUSTIVE'] === '1';
const SAMPLE_SEED = 20_260_101;

/**
 * Checks that a property holds for many sequences: a sample in `npm test`, at least a thousand in `npm run
 * test:exhaustive`, the same ones each time. OKA_SEED tries others; a failure prints seed and path (OKA_PATH).
 */
export async function holdsFor<Sequence>(
  sequences: fc.Arbitrary<Sequence>,
  check: (sequence: Sequence) => Promise<void>,
  count: { readonly sample: number; readonly whole: number } = { sample: 60, whole: 1_000 },
): Promise<void> {
  const seed = process.env['OKA_SEED'];
  const path = process.env['OKA_PATH'];
  await fc.assert(fc.asyncProperty(sequences, check), {
    numRuns: WHOLE ? count.whole : count.sample,
    seed: seed === undefined ? SAMPLE_SEED : Number(seed),
    ...(path === undefined ? {} : { path }),
    verbose: fc.VerbosityLevel.None,
  });
}

/** The sequences that pay for a disk: fewer of them. */
export const ON_DISK = { sample: 4, whole: 100 };
