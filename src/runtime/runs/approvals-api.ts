import type { ApprovalRequest, OkaApi, RunAnswer } from '../../api/index.ts';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import { viewApproval } from '../services/views.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { continueRun } from './continue-run.ts';

/** The approvals of one workspace. */
export function approvalsApi(services: WorkspaceServices): OkaApi['approvals'] {
  const { ledger, clock, acting, answer } = services;

  const requireApproval = async (id: string) => {
    const found = await ledger().runs.approval(id);
    if (found) return found;
    throw new OkaError('engine.unknown_approval', `there is no approval "${id}"; see: oka approvals list.`, {
      data: { approval: id },
    });
  };

  const approve = async (request: ApprovalRequest, patienceMs: number): Promise<RunAnswer> => {
    const engine = await acting();
    const { id, by, answer: text, argumentsHash, edit, remember, signal } = request;
    const decision =
      text === undefined
        ? {
            kind: 'approve' as const,
            ...(argumentsHash === undefined ? {} : { argumentsHash }),
            ...(edit === undefined ? {} : { edit }),
            ...(remember === undefined ? {} : { remember }),
          }
        : { kind: 'answer' as const, answer: text };
    const run = await engine.decide(id, decision, by).catch(async (error: unknown) => {
      if (isOkaError(error, 'engine.approval_expired')) await engine.resume((await requireApproval(id)).run);
      throw error;
    });
    return answer(await continueRun(engine, run, { by, patienceMs, signal }));
  };

  return {
    list: async (filter) =>
      (await ledger().runs.approvals(filter as { status?: 'pending' })).map((approval) =>
        viewApproval(approval, clock.now()),
      ),
    show: async (id) => viewApproval(await requireApproval(id), clock.now()),
    approve,
    deny: async (id, by) => {
      const engine = await acting();
      return answer(await continueRun(engine, await engine.decide(id, { kind: 'deny' }, by), { by }));
    },
  };
}
