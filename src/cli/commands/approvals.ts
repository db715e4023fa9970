import { Argument, type Command } from 'commander';
import type { ApprovalRequest, ApprovalView } from '../../api/index.ts';
import { choice, parseJsonArgument } from '../context.ts';
import { EXIT, exitOfRun } from '../exit-codes.ts';
import { finishWithRun, PATIENCE_MS } from '../finish-run.ts';
import { clip, showApproval, showRun, showTime, table } from '../format.ts';
import { answerWith, type Run } from '../run.ts';

interface ApproveOptions extends Pick<ApprovalRequest, 'answer' | 'remember'> {
  readonly hash?: string;
  readonly edit?: string;
}

const APPROVAL = new Argument('<approval>', 'Approval id, or the id of a run with one open approval');

export function approvalsCommand(program: Command, run: Run): void {
  const approvals = program
    .command('approvals')
    .description('List, approve and deny requests of runs')
    .addHelpText(
      'after',
      '\nExamples:\n  oka approvals list\n  oka approvals show 01j…\n  oka approvals approve 01j…\n  oka approvals approve 01j… --answer yes\n  oka approvals deny 01j…',
    );
  approvals
    .command('list')
    .description('List pending approvals and questions')
    .option('--all', 'Include decided ones')
    .option('--run <run>', 'Limit to this run and its children')
    .action(({ all, ...filter }: { all?: boolean; run?: string }) =>
      answerWith(
        run,
        async (api) => ({
          approvals: await api.approvals.list({ ...(all ? {} : { status: 'pending' }), ...filter }),
        }),
        showApprovals,
      ),
    );
  approvals
    .command('show')
    .description('Show an approval with its full arguments')
    .addArgument(APPROVAL)
    .action((id: string) =>
      answerWith(
        run,
        async (api) => ({ approval: await api.approvals.show(id) }),
        (data) => showApproval(data.approval),
      ),
    );
  approvals
    .command('approve')
    .description('Approve a call once and continue the run')
    .addArgument(APPROVAL)
    .option('--hash <hash>', 'Fail unless the arguments have this hash')
    .option('--edit <json>', 'Run with these arguments instead; recorded as your edit')
    .option('--answer <text>', 'Answer a question')
    .addOption(
      choice(
        '--remember <scope>',
        'Approve later calls too for 30 days: with the same arguments, or of the same tool; see: oka grants list',
        'exact',
        'tool',
      ),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  oka approvals approve 01j…\n  oka approvals approve 01j… --answer "the second one"\n  oka approvals approve 01j… --edit \'{"argv":["git","status"]}\'\n  oka approvals approve 01j… --remember exact',
    )
    .action((id: string, { hash, edit, ...options }: ApproveOptions) =>
      run(async (context) => {
        const request = {
          id,
          by: context.by,
          ...options,
          ...(hash === undefined ? {} : { argumentsHash: hash }),
          ...(edit === undefined ? {} : { edit: parseJsonArgument(edit, '--edit') }),
        };
        return finishWithRun(context, await (await context.open()).approvals.approve(request, PATIENCE_MS));
      }),
    );
  approvals
    .command('deny')
    .description('Deny a call and end the run')
    .addArgument(APPROVAL)
    .action((id: string) =>
      answerWith(
        run,
        (api, { by }) => api.approvals.deny(id, by),
        showRun,
        (data) => (exitOfRun(data.run) === EXIT.approval ? EXIT.ok : exitOfRun(data.run)),
      ),
    );
}

function showApprovals({ approvals }: { readonly approvals: readonly ApprovalView[] }): string {
  if (approvals.length === 0) return 'No pending approvals';
  const rows = approvals.map((approval) => {
    const { id, status, tool, question, expiresAt, run, root, why, rule, sideEffect } = approval;
    const input = approval.arguments === undefined ? '' : ` ${JSON.stringify(approval.arguments)}`;
    const reason = why ?? (approval.kind === 'unknown_effect' ? 'its outcome is unknown' : '');
    return [
      id,
      status,
      clip(tool === undefined ? (question ?? '') : `${tool}${input}`, 100),
      clip(`${reason}${rule === undefined ? '' : ` (rule ${rule})`}`, 100),
      sideEffect ?? '',
      run === root || root === undefined ? run : `${run} of ${root}`,
      showTime(expiresAt),
    ];
  });
  return table(['approval', 'status', 'what', 'why', 'class', 'run', 'expires (UTC)'], rows);
}
