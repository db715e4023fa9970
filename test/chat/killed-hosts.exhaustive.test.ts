import { beforeAll, expect, test } from 'vitest';
import { shareOf } from '../support/run-seed.ts';
import { type Boundary, buildHost, WaitingChain } from './killed-hosts.ts';

const EXHAUSTIVE = process.env['OKA_EXHAUSTIVE'] === '1';
/** Two processes for each of about fifty boundaries. */
const LONGEST_MS = 1_800_000;
const SAMPLE: readonly Boundary[] = [['after', 17]];

beforeAll(buildHost);

/** A third of the boundaries: before and after each commit that answering takes when nobody dies. */
async function boundaries(chain: WaitingChain): Promise<readonly Boundary[]> {
  const { commits } = chain.host(['never', 0]) as { commits: number };
  expect(commits).toBeGreaterThan(30);
  await chain.expectWhole('undisturbed');
  chain.restore();
  const all = Array.from({ length: commits }, (_, i) => i + 1).flatMap((n): Boundary[] => [
    ['before', n],
    ['after', n],
  ]);
  return shareOf(all, 3);
}

test('a host that is killed in a chain of ten turns is followed by another: no turn is lost, none doubled', {
  timeout: LONGEST_MS,
}, async () => {
  const chain = new WaitingChain();
  await chain.prepare();
  for (const boundary of EXHAUSTIVE ? await boundaries(chain) : SAMPLE) {
    const at = boundary.join(' commit ');
    expect(chain.host(boundary), at).toBeUndefined();
    expect(chain.host(['never', 0]), at).toBeDefined();
    await chain.expectWhole(at);
    chain.restore();
  }
});
