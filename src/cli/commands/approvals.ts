import { type Command, Option } from 'commander';
import { parseJsonArgument } from '../context.ts';
import { EXIT, exitOfRun } from '../exit-codes.ts';
import { clip, showApproval, showRun, showTime, table } from '../format.ts';
import { finishWithRun, PATIENCE_MS } from '../go-on.ts';
import type { Run } from '../run.ts';

export function approvalsCommand(program: Command, run: Run): void {
  const approvals = program
    .command('approvals')
    .description('what waits for a person')
    .addHelpText(
      'after',
      '\nExamples:\n  oka approvals list\n  oka approvals show 01j…\n  oka approvals approve 01j…\n  oka approvals approve 01j… --answer yes\n  oka approvals deny 01j…',
    );
  approvals
    .command('list')
    .description('open approvals and questions')
    .option('--all', 'also those that were decided')
    .option('--run <run>', 'only of this run')
    .action((options: { all?: boolean; run?: string }) =>
      run(async (context) => {
        const filter = {
          ...(options.all ? {} : { status: 'pending' }),
          ...(options.run ? { run: options.run } : {}),
        };
        const found = await (await context.open()).approvals.list(filter);
        context.printer.answer({ approvals: found }, (data) =>
          data.approvals.length === 0
            ? 'nothing waits for you'
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
    .description('one approval with its arguments in full')
    .argument('<approval>', 'its id')
    .action((id: string) =>
      run(async (context) => {
        const approval = await (await context.open()).approvals.show(id);
        context.printer.answer({ approval }, (data) => showApproval(data.approval));
        return EXIT.ok;
      }),
    );
  approvals
    .command('approve')
    .description('allow it, once, and go on with the run')
    .argument('<approval>', 'its id')
    .option('--hash <hash>', 'refuse unless the arguments still have this hash')
    .option('--edit <json>', 'run with these arguments instead; recorded as your edit')
    .option('--answer <text>', 'the answer to a question')
    .addOption(new Option('--remember <scope>', 'do not ask again').choices(['exact', 'tool']))
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
    .description('forbid it; the run ends')
    .argument('<approval>', 'its id')
    .action((id: string) =>
      run(async (context) => {
        const answer = await (await context.open()).approvals.deny(id, context.by);
        context.printer.answer(answer, showRun);
        return exitOfRun(answer.run) === EXIT.approval ? EXIT.ok : exitOfRun(answer.run);
      }),
    );
}
