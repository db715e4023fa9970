import { expect, test } from 'vitest';
import type { OkaApi } from '../../api/index.ts';
import { waitingApprovals } from './waiting-approvals.ts';

/** An Oka with these turns, these approvals and these parents of runs. */
function oka(
  turns: readonly { run?: string; status: string }[],
  approvals: readonly { id: string; run: string }[],
  parents: Readonly<Record<string, string>> = {},
): OkaApi {
  return {
    chat: { trace: async () => turns },
    approvals: { list: async () => approvals },
    runs: { show: async (run: string) => ({ run: { parent: parents[run] } }) },
  } as unknown as OkaApi;
}

const ids = async (api: OkaApi): Promise<readonly string[]> =>
  (await waitingApprovals(api, 'garden')).map(({ id }) => id);

test('what a turn waits for is found, in its own run and in those below it', async () => {
  const approvals = [
    { id: 'own', run: 'r1' },
    { id: 'below', run: 'r3' },
    { id: 'of another', run: 'r9' },
  ];
  const api = oka([{ run: 'r1', status: 'claimed' }], approvals, { r3: 'r2', r2: 'r1' });
  expect(await ids(api)).toEqual(['own', 'below']);
});

test('what belongs to a turn that is over, or has not begun, is not asked', async () => {
  const turns = [{ run: 'r1', status: 'done' }, { status: 'queued' }];
  expect(await ids(oka(turns, [{ id: 'late', run: 'r1' }]))).toEqual([]);
});

test('runs that name each other as parents do not keep anybody waiting', async () => {
  const api = oka([{ run: 'r1', status: 'claimed' }], [{ id: 'a', run: 'r2' }], { r2: 'r3', r3: 'r2' });
  expect(await ids(api)).toEqual([]);
});
