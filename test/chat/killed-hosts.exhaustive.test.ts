import { beforeAll, expect, test } from 'vitest';
import { shareOf } from '../support/run-seed.ts';
import { type Boundary, buildHost, WaitingChain } from './killed-hosts.ts';

/** Two processes for each of about 25 boundaries. */
const LONGEST_MS = 1_800_000;

beforeAll(buildHost);

/** A sixth of the boundaries: before and after each commit of an uninterrupted chain. */
async function boundaries(chain: WaitingChain): Promise<readonly Boundary[]> {
  const { commits } = chain.host(['never', 0]) as { commits: number };
  expect(commits).toBeGreaterThan(30);
  await chain.expectWhole('undisturbed');
  chain.restore();
  const all = Array.from({ length: commits }, (_, i) => i + 1).flatMap((n): Boundary[] => [
    ['before', n],
    ['after', n],
  ]);
  return shareOf(all, 6);
}

test('another host continues a chain of ten turns after a kill: no turn is lost, none doubled', {
  timeout: LONGEST_MS,
}, async () => {
  const chain = new WaitingChain();
  await chain.prepare();
  for (const boundary of await boundaries(chain)) {
    const at = boundary.join(' commit ');
    expect(chain.host(boundary), at).toBeUndefined();
    expect(chain.host(['never', 0]), at).toBeDefined();
    await chain.expectWhole(at);
    chain.restore();
  }
});
