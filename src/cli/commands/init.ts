import type { Command } from 'commander';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

export function initCommand(program: Command, run: Run): void {
  program
    .command('init')
    .description('make this folder an Oka workspace')
    .option('--trust', 'trust this folder without asking: what is configured in it may then act')
    .addHelpText(
      'after',
      '\nExamples:\n  oka init            asks whether you trust the folder\n  oka init --trust    for scripts',
    )
    .action((options: { trust?: boolean }) =>
      run(async (context) => {
        const api = await context.open();
        let answer = await api.init({ trust: options.trust ?? false });
        if (!answer.trusted && context.mayAsk) {
          const { confirm, isCancel } = await import('@clack/prompts');
          const yes = await confirm({
            message: `Do you trust the files in ${visible(context.workspace)}? Configuration, hooks and tools there may then act.`,
            initialValue: false,
            output: context.printer.output,
          });
          if (!isCancel(yes) && yes) answer = await api.init({ trust: true });
        }
        context.printer.answer(answer, ({ workspace, created, trusted }) =>
          [
            `${created ? 'made' : 'kept'} ${visible(workspace)}/.oka`,
            trusted
              ? 'trusted; try: oka do "write a brief of this folder to BRIEF.md"'
              : 'not trusted yet; when you trust it: oka init --trust',
          ].join('\n'),
        );
        return 0;
      }),
    );
}
