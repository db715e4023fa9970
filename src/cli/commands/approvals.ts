import { type Command, Option } from 'commander';
import { parseJsonArgument } from '../context.ts';
import { EXIT, exitOfRun } from '../exit-codes.ts';
import { finishWithRun, PATIENCE_MS } from '../finish-run.ts';
import { clip, showApproval, showRun, showTime, table } from '../format.ts';
import type { Run } from '../run.ts';

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
    .option('--run <run>', 'Limit to this run')
    .action((options: { all?: boolean; run?: string }) =>
      run(async (context) => {
        const filter = {
          ...(options.all ? {} : { status: 'pending' }),
          ...(options.run ? { run: options.run } : {}),
        };
        const found = await (await context.open()).approvals.list(filter);
        context.printer.answer({ approvals: found }, (data) =>
          data.approvals.length === 0
            ? 'No pending approvals'
            : table(
                ['approval', 'status', 'what', 'expires (UTC)'],
                data.approvals.map((one) => [
                  one.id,
                  one.status,
                  clip(one.tool ?? one.question ?? '', 50),
                  showTime(one.expiresAt),
                ]),
              ),
        );
        return EXIT.ok;
      }),
    );
  approvals
    .command('show')
    .description('Show an approval with its full arguments')
    .argument('<approval>', 'Approval id')
    .action((id: string) =>
      run(async (context) => {
        const approval = await (await context.open()).approvals.show(id);
        context.printer.answer({ approval }, (data) => showApproval(data.approval));
        return EXIT.ok;
      }),
    );
  approvals
    .command('approve')
    .description('Approve a call once and continue the run')
    .argument('<approval>', 'Approval id')
    .option('--hash <hash>', 'Fail unless the arguments have this hash')
    .option('--edit <json>', 'Run with these arguments instead; recorded as your edit')
    .option('--answer <text>', 'Answer a question')
    .addOption(
      new Option(
        '--remember <scope>',
        'Approve later calls too, with the same arguments or of the same tool',
      ).choices(['exact', 'tool']),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  oka approvals approve 01j…\n  oka approvals approve 01j… --answer "the second one"\n  oka approvals approve 01j… --edit \'{"argv":["git","status"]}\'\n  oka approvals approve 01j… --remember exact',
    )
    .action(
      (id: string, options: { hash?: string; edit?: string; answer?: string; remember?: 'exact' | 'tool' }) =>
        run(async (context) => {
          const answer = await (await context.open()).approvals.approve(
            {
              id,
              by: context.by,
              ...(options.hash === undefined ? {} : { argumentsHash: options.hash }),
              ...(options.edit === undefined ? {} : { edit: parseJsonArgument(options.edit, '--edit') }),
              ...(options.answer === undefined ? {} : { answer: options.answer }),
              ...(options.remember === undefined ? {} : { remember: options.remember }),
            },
            PATIENCE_MS,
          );
          return finishWithRun(context, answer);
        }),
    );
  approvals
    .command('deny')
    .description('Deny a call and end the run')
    .argument('<approval>', 'Approval id')
    .action((id: string) =>
      run(async (context) => {
        const answer = await (await context.open()).approvals.deny(id, context.by);
        context.printer.answer(answer, showRun);
        return exitOfRun(answer.run) === EXIT.approval ? EXIT.ok : exitOfRun(answer.run);
      }),
    );
}
