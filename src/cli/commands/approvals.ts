import { Argument, type Command } from 'commander';
import { type ApprovalRequest, type ApprovalView, requestLine, shortId, shortIds } from '../../api/index.ts';
import { showApproval, showCard, showDenied, showFoot } from '../approval-card.ts';
import { type Context, choice, parseJsonArgument } from '../context.ts';
import { EXIT, exitOfRun } from '../exit-codes.ts';
import { finishWithRun } from '../finish-run.ts';
import { clip, showRun, showTime, table } from '../format.ts';
import { applyDecision, PATIENCE_MS, promptForDecision } from '../prompt-decision.ts';
import { answerWith, type Run } from '../run.ts';
import { listenersOf, watchRun } from '../run-progress.ts';

interface ApproveOptions extends Pick<ApprovalRequest, 'answer' | 'remember'> {
  readonly hash?: string;
  readonly edit?: string;
}

const PIPED_COLUMNS = 100;
const MAX_LINE = 100;
const APPROVAL = new Argument(
  '<approval>',
  'Approval: its id or the last characters of it, last, @2, or the id of a run with one open approval',
);

export function approvalsCommand(program: Command, run: Run): void {
  const list = ({ all, ...filter }: { all?: boolean; run?: string }) =>
    answerWith(
      run,
      async (api) => ({
        approvals: await api.approvals.list({ ...(all ? {} : { status: 'pending' }), ...filter }),
      }),
      showApprovals,
    );
  const approvals = program
    .command('approvals')
    .description('List, approve and deny requests of runs; lists them without a subcommand')
    .addHelpText(
      'after',
      '\nExamples:\n  oka approvals list\n  oka approvals show last\n  oka approvals approve 7f3k9m\n  oka approvals approve 7f3k9m --answer yes\n  oka approvals deny 7f3k9m --reason "use the staging server"',
    )
    .action(() => list({}));
  approvals
    .command('list')
    .description('List pending approvals and questions')
    .option('--all', 'Include decided ones')
    .option('--run <run>', 'Limit to this run and its children')
    .action(list);
  approvals
    .command('show')
    .description('Show a request as a card, then all its facts and arguments')
    .addArgument(APPROVAL)
    .action((id: string) =>
      run(async (context) => {
        const approval = await (await context.open()).approvals.show(id);
        context.printer.answer(
          { approval },
          () => `${showPending(approval, context)}${showApproval(approval)}`,
        );
      }),
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
        '--remember [scope]',
        'Approve later calls too for 30 days: with the same arguments, or of the same tool; see: oka grants list',
        'exact',
        'tool',
      ).preset('exact'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  oka approvals approve 7f3k9m\n  oka approvals approve 7f3k9m --answer "the second one"\n  oka approvals approve 7f3k9m --edit \'{"argv":["git","status"]}\'\n  oka approvals approve 7f3k9m --remember',
    )
    .action((id: string, { hash, edit, ...options }: ApproveOptions) =>
      run(async (context) => {
        const api = await context.open();
        // `last` may be another request than the one that the person looked at, so it is shown first.
        if (context.canPrompt && /^(last|@\d+)$/.test(id)) {
          const approval = await api.approvals.show(id);
          const decision = await promptForDecision(context, approval, { unasked: false });
          if (decision === undefined) return EXIT.approval;
          return finishWithRun(context, await applyDecision(context, api, approval, decision));
        }
        const request = {
          id,
          by: context.by,
          ...options,
          ...(hash === undefined ? {} : { argumentsHash: hash }),
          ...(edit === undefined ? {} : { edit: parseJsonArgument(edit, '--edit') }),
        };
        const watch = await watchRun(context);
        const answer = await api.approvals
          .approve({ ...request, signal: context.interrupted, ...listenersOf(watch) }, PATIENCE_MS)
          .finally(() => watch.end());
        return finishWithRun(context, answer, watch);
      }),
    );
  approvals
    .command('deny')
    .description('Deny a call. The run continues another way if it can, and otherwise ends')
    .addArgument(APPROVAL)
    .option('--reason <text>', 'Why; recorded and told to the model')
    .action((id: string, { reason }: { reason?: string }) =>
      answerWith(
        run,
        async (api, { by, printer }) => {
          const answer = await api.approvals.deny(id, by, reason);
          printer.message(showDenied(answer));
          return answer;
        },
        showRun,
        (data) => (exitOfRun(data.run) === EXIT.approval ? EXIT.ok : exitOfRun(data.run)),
      ),
    );
}

/** The card of a pending request, with the commands that decide it. */
function showPending(approval: ApprovalView, { printer }: Context): string {
  if (approval.status !== 'pending') return '';
  const columns = process.stdout.isTTY ? process.stdout.columns : PIPED_COLUMNS;
  const id = shortId(approval.id);
  const answer = approval.kind === 'tool' ? '' : ' --answer …';
  const foot = [`oka approvals approve ${id}${answer}`, `oka approvals deny ${id}`];
  const { body } = showCard(approval, { columns, colors: printer.dataColors });
  return `${body}\n${showFoot(foot, columns)}\n\n`;
}

function showApprovals({ approvals }: { readonly approvals: readonly ApprovalView[] }): string {
  if (approvals.length === 0) return 'No pending approvals';
  const shown = shortIds(approvals.flatMap(({ id, run }) => [id, run]));
  const isMixed = approvals.some(({ status }) => status !== 'pending');
  const rows = approvals.map((approval) => {
    const { id, status, expiresAt, run, root = run, why, rule, now } = approval;
    const reason = why ?? (approval.kind === 'unknown_effect' ? 'its outcome is unknown' : '');
    return [
      shown(id),
      ...(isMixed ? [status] : []),
      clip(requestLine(approval), MAX_LINE),
      clip(now?.because ?? `${reason}${rule === undefined ? '' : ` (rule ${rule})`}`, MAX_LINE),
      run === root ? shown(run) : `${shown(run)} of ${shortId(root)}`,
      showTime(expiresAt),
    ];
  });
  const head = [
    'approval',
    ...(isMixed ? ['status'] : []),
    'wants to',
    'asks because',
    'run',
    'expires (UTC)',
  ];
  return table(head, rows);
}
