import type { ApprovalRequest, ApprovalView, OkaApi, RunAnswer } from '../../api/index.ts';
import { type ApprovalSummary, descendantsOf, loadRun, placeOfApproval } from '../../engine/index.ts';
import { isOkaError, OkaError } from '../../kernel/index.ts';
import { requireRemembering } from '../process/require-sandbox.ts';
import { cutPage, parseCursor } from '../services/cursor.ts';
import { viewApproval } from '../services/views.ts';
import { toDriveOptions, type WorkspaceServices } from '../services/workspace-services.ts';

/** The approvals of one workspace. */
export function approvalsApi(services: WorkspaceServices): OkaApi['approvals'] {
  const { ledger, clock, acting, backend, answer } = services;

  const view = async (approval: ApprovalSummary, brief = false): Promise<ApprovalView> => {
    const { root } = approval.root === undefined ? ((await ledger().runs.get(approval.run)) ?? {}) : approval;
    const shown = viewApproval(approval, { now: clock.now(), root });
    if (brief || shown.status !== 'pending' || shown.kind !== 'tool') return shown;
    const { viewNow } = await import('./approval-now.ts');
    return { ...shown, now: await viewNow(approval, services) };
  };

  /** A run and its descendants; empty if there is no such run. */
  const membersOf = async (run: string): Promise<ReadonlySet<string>> => {
    const { runs } = ledger();
    const found = await runs.get(run);
    if (found === undefined) return new Set();
    return new Set([run, ...(await descendantsOf(found, runs)).map(({ id }) => id)]);
  };

  /** The approvals of a run and its descendants. */
  const inTree = async (
    run: string,
    filter: Parameters<OkaApi['approvals']['list']>[0],
  ): Promise<readonly ApprovalSummary[]> => {
    const members = await membersOf(run);
    if (members.size === 0) return [];
    const all = await ledger().runs.approvals(filter as { status?: 'pending' });
    return all.filter((approval) => members.has(approval.run));
  };

  /** The approval with this id, or the only open one of the run with this id and its descendants. */
  const requireApproval = async (id: string): Promise<ApprovalSummary> => {
    const found = await ledger().runs.approval(id);
    if (found) return found;
    const pending = await inTree(id, { status: 'pending' });
    const open = pending.filter(({ expiresAt }) => expiresAt > clock.now());
    const [only, ...more] = open.length > 0 ? open : pending;
    if (only === undefined) {
      const isRun = (await ledger().runs.get(id)) !== undefined;
      const message = isRun ? `Run ${id} has no open approval.` : `No approval "${id}".`;
      throw new OkaError('engine.unknown_approval', `${message} See: oka approvals list.`, {
        data: { approval: id },
      });
    }
    if (more.length === 0) return only;
    const all = [only, ...more].map((one) => `${one.id} (${one.question ?? one.tool ?? one.kind})`);
    throw new OkaError(
      'engine.approval_ambiguous',
      `Run ${id} has ${all.length} open approvals. Name one of them: ${all.join(', ')}.`,
      { data: { run: id, approvals: [only, ...more].map((one) => one.id) } },
    );
  };

  /** The answer about the run that was named, or else about the run of the approval. */
  const answerFor = async (id: string, driven: Parameters<typeof answer>[0]): Promise<RunAnswer> => {
    const isRun = (await ledger().runs.approval(id)) === undefined;
    return answer(isRun && driven.id !== id ? await loadRun(id, ledger()) : driven);
  };

  const approve = async (request: ApprovalRequest, patienceMs: number): Promise<RunAnswer> => {
    const engine = await acting();
    const executing = await backend();
    await executing.admit();
    const { by, answer: text, argumentsHash, edit, remember, signal } = request;
    const { id, rule } = await requireApproval(request.id);
    if (remember !== undefined) requireRemembering(rule);
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
      if (isOkaError(error, 'engine.approval_expired'))
        await executing.resume((await requireApproval(id)).run);
      throw error;
    });
    const { root = run } = (await ledger().runs.get(run)) ?? {};
    // The goal of a task continues too, so the whole tree is watched.
    return services.watching(request, root, async () =>
      answerFor(request.id, await executing.proceed(run, { by, ...toDriveOptions({ patienceMs, signal }) })),
    );
  };

  return {
    list: async ({ run, brief, ...filter }) => {
      const found =
        run === undefined
          ? await ledger().runs.approvals(filter as { status?: 'pending' })
          : await inTree(run, filter);
      return Promise.all(found.map((approval) => view(approval, brief)));
    },
    page: async ({ status, run, brief = false, limit, cursor }) => {
      const { runs } = ledger();
      const members = run === undefined ? undefined : await membersOf(run);
      const found = await runs.approvalPage({
        ...(status === undefined ? {} : { statuses: status }),
        ...(members === undefined ? {} : { runs: [...members] }),
        ...(cursor === undefined ? {} : { after: parseCursor(cursor) }),
        now: clock.now(),
        // One more tells whether there is a next page.
        limit: limit + 1,
      });
      const { items, ...next } = cutPage(found, limit, placeOfApproval);
      return { items: await Promise.all(items.map((approval) => view(approval, brief))), ...next };
    },
    show: async (id) => view(await requireApproval(id)),
    approve,
    deny: async (id, by, reason) => {
      const engine = await acting();
      const executing = await backend();
      await executing.admit();
      const run = await engine.decide(
        (await requireApproval(id)).id,
        { kind: 'deny', ...(reason === undefined ? {} : { reason }) },
        by,
      );
      return answerFor(id, await executing.proceed(run, { by }));
    },
  };
}
