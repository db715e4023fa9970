import { type Command, Option } from 'commander';
import { OkaError, type RunAnswer } from '../../api/index.ts';
import { type Context, collect, parsePairs } from '../context.ts';
import { type ExitCode, exitOfRun } from '../exit-codes.ts';
import { showRun } from '../format.ts';
import { finishWithRun, PATIENCE_MS } from '../go-on.ts';
import type { Run } from '../run.ts';
import { showPlan } from '../show-plan.ts';
import { watchGoal } from '../watch-tasks.ts';

interface DoOptions {
  readonly simulate?: boolean;
  readonly dryRun?: boolean;
  readonly agent?: string;
  readonly model?: string;
  readonly autonomy?: 'manual' | 'guided' | 'autonomous';
  readonly planOnly?: boolean;
  readonly budget: readonly string[];
}

export function doCommand(program: Command, run: Run): void {
  program
    .command('do')
    .description('work on a goal until it is done, blocked, or needs you')
    .argument('<goal>', 'what you want, in plain words', parseGoal)
    .option('--simulate', 'show what would happen; nothing is changed')
    .option('--dry-run', 'the same as --simulate')
    .option('--plan-only', 'show the tasks and what each has to meet; nothing is done')
    .option('--agent <name>', 'who works on it, alone unless --autonomy is given; see: oka agent list')
    .option('--model <name>', 'a model instead of the agent\'s own; "none" plans by rules')
    .addOption(
      new Option(
        '--autonomy <level>',
        'plan the goal as tasks, each done and checked; the level says how much is asked',
      ).choices(['manual', 'guided', 'autonomous']),
    )
    .option('--budget <name=amount>', 'cap something, as in steps=50; may be given again', collect, [])
    .addHelpText(
      'after',
      '\nExamples:\n  oka do "write a brief of this folder to BRIEF.md"\n  oka do \'search for "TODO" in src\' --json\n  oka do "write a brief to BRIEF.md" --simulate\n  oka do "collect the TODOs into TODOS.md, then find duplicate files and check the links" --plan-only',
    )
    .action((goal: string, options: DoOptions) =>
      run(async (context) => {
        const api = await context.open();
        const sink = watchGoal(context);
        const answer = await api
          .do({
            goal,
            ...(options.agent === undefined ? {} : { agent: options.agent }),
            ...(options.model === undefined ? {} : { model: options.model }),
            ...(options.autonomy === undefined ? {} : { autonomy: options.autonomy }),
            ...(options.planOnly === undefined ? {} : { planOnly: options.planOnly }),
            simulate: options.simulate ?? options.dryRun ?? false,
            budgets: parsePairs(options.budget, '--budget'),
            patienceMs: PATIENCE_MS,
            signal: context.interrupted,
            onEvent: sink.onEvent,
            onText: sink.onText,
          })
          .finally(() => sink.end());
        if (options.planOnly) return finishWithPlan(context, answer);
        return finishWithRun(context, answer);
      }),
    );
}

function finishWithPlan(context: Context, answer: RunAnswer): ExitCode {
  context.printer.answer(answer, answer.run.state === 'planned' ? showPlan : showRun);
  return exitOfRun(answer.run);
}

/** Reads a goal, which must hold something that can be seen. */
function parseGoal(text: string): string {
  if (/[^\s\p{Cc}\p{Cf}]/u.test(text)) return text;
  throw new OkaError('cli.usage', 'the goal is empty; say what you want, as in: oka do "read README.md".');
}
