import type { ApprovalView, OkaApi } from '../../api/index.ts';

const MAX_DEPTH = 32;

/** Pending approvals in the runs of the turns and in their child runs. */
export async function waitingApprovals(api: OkaApi, conversation: string): Promise<readonly ApprovalView[]> {
  const turns = await api.chat.trace(conversation);
  const runs = new Set(turns.flatMap(({ status, run }) => (status === 'claimed' ? (run ?? []) : [])));
  if (runs.size === 0) return [];
  const found: ApprovalView[] = [];
  for (const approval of await api.approvals.list({ status: 'pending' }))
    if (await isWithin(api, approval.run, runs)) found.push(approval);
  return found;
}

async function isWithin(api: OkaApi, run: string, runs: ReadonlySet<string>): Promise<boolean> {
  let current: string | undefined = run;
  for (let depth = 0; current !== undefined && depth < MAX_DEPTH; depth++) {
    if (runs.has(current)) return true;
    current = (await api.runs.show(current)).run.parent;
  }
  return false;
}
