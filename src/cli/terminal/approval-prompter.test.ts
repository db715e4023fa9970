import { expect, test } from 'vitest';
import type { OkaApi } from '../../api/index.ts';
import { waitingApprovals } from './approval-prompter.ts';

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

test('finds approvals in the run of a turn and in its child runs', async () => {
  const approvals = [
    { id: 'own', run: 'r1' },
    { id: 'below', run: 'r3' },
    { id: 'of another', run: 'r9' },
  ];
  const api = oka([{ run: 'r1', status: 'claimed' }], approvals, { r3: 'r2', r2: 'r1' });
  expect(await ids(api)).toEqual(['own', 'below']);
});

test('ignores turns that have ended or not started', async () => {
  const turns = [{ run: 'r1', status: 'done' }, { status: 'queued' }];
  expect(await ids(oka(turns, [{ id: 'late', run: 'r1' }]))).toEqual([]);
});

test('terminates on a cycle of parent runs', async () => {
  const api = oka([{ run: 'r1', status: 'claimed' }], [{ id: 'a', run: 'r2' }], { r2: 'r3', r3: 'r2' });
  expect(await ids(api)).toEqual([]);
});
