import type { Command } from 'commander';
import { OkaError } from '../../api/index.ts';
import { collect, parsePairs } from '../context.ts';
import { finishWithRun, PATIENCE_MS } from '../go-on.ts';
import type { Run } from '../run.ts';
import { liveTimeline } from '../timeline.ts';

export function doCommand(program: Command, run: Run): void {
  program
    .command('do')
    .description('work on a goal until it is done, blocked, or needs you')
    .argument('<goal>', 'what you want, in plain words', parseGoal)
    .option('--simulate', 'show what would happen; nothing is changed')
    .option('--dry-run', 'the same as --simulate')
    .option('--budget <name=amount>', 'cap something, as in steps=50; may be given again', collect, [])
    .addHelpText(
      'after',
      '\nExamples:\n  oka do "write a brief of this folder to BRIEF.md"\n  oka do \'search for "TODO" in src\' --json\n  oka do "write a brief to BRIEF.md" --simulate',
    )
    .action((goal: string, options: { simulate?: boolean; dryRun?: boolean; budget: readonly string[] }) =>
      run(async (context) => {
        const api = await context.open();
        const answer = await api.do({
          goal,
          simulate: options.simulate ?? options.dryRun ?? false,
          budgets: parsePairs(options.budget, '--budget'),
          patienceMs: PATIENCE_MS,
          onEvent: liveTimeline(context.printer),
        });
        return finishWithRun(context, answer);
      }),
    );
}

/** Reads a goal, which must hold something that can be seen. */
function parseGoal(text: string): string {
  if (/[^\s\p{Cc}\p{Cf}]/u.test(text)) return text;
  throw new OkaError('cli.usage', 'the goal is empty; say what you want, as in: oka do "read README.md".');
}
