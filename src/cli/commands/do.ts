import { type Command, Option } from 'commander';
import { OkaError } from '../../api/index.ts';
import { collect, parsePairs } from '../context.ts';
import { finishWithRun, PATIENCE_MS } from '../go-on.ts';
import type { Run } from '../run.ts';
import { liveTimeline } from '../timeline.ts';

interface DoOptions {
  readonly simulate?: boolean;
  readonly dryRun?: boolean;
  readonly agent?: string;
  readonly model?: string;
  readonly autonomy?: 'manual' | 'guided' | 'autonomous';
  readonly budget: readonly string[];
}

export function doCommand(program: Command, run: Run): void {
  program
    .command('do')
    .description('work on a goal until it is done, blocked, or needs you')
    .argument('<goal>', 'what you want, in plain words', parseGoal)
    .option('--simulate', 'show what would happen; nothing is changed')
    .option('--dry-run', 'the same as --simulate')
    .option('--agent <name>', 'who works on it; see: oka agent list')
    .option('--model <name>', 'a model instead of the agent\'s own; "none" plans by rules')
    .addOption(
      new Option('--autonomy <level>', 'split the goal into tasks, each done and checked').choices([
        'manual',
        'guided',
        'autonomous',
      ]),
    )
    .option('--budget <name=amount>', 'cap something, as in steps=50; may be given again', collect, [])
    .addHelpText(
      'after',
      '\nExamples:\n  oka do "write a brief of this folder to BRIEF.md"\n  oka do \'search for "TODO" in src\' --json\n  oka do "write a brief to BRIEF.md" --simulate',
    )
    .action((goal: string, options: DoOptions) =>
      run(async (context) => {
        const api = await context.open();
        const answer = await api.do({
          goal,
          ...(options.agent === undefined ? {} : { agent: options.agent }),
          ...(options.model === undefined ? {} : { model: options.model }),
          ...(options.autonomy === undefined ? {} : { autonomy: options.autonomy }),
          simulate: options.simulate ?? options.dryRun ?? false,
          budgets: parsePairs(options.budget, '--budget'),
          patienceMs: PATIENCE_MS,
          onEvent: liveTimeline(context.printer),
          onText: (text) => context.printer.words(text),
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
