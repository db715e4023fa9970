import { type Command, Option } from 'commander';
import { OkaError, type RunAnswer } from '../../api/index.ts';
import { type Context, collect, parsePairs } from '../context.ts';
import { type ExitCode, exitOfRun } from '../exit-codes.ts';
import { finishWithRun, PATIENCE_MS } from '../finish-run.ts';
import { showRun } from '../format.ts';
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
    .description('Work on a goal until it completes, fails or needs you')
    .argument('<goal>', 'Goal in plain words', parseGoal)
    .option('--simulate', 'Show what would happen without changing anything')
    .option('--dry-run', 'Same as --simulate')
    .option('--plan-only', 'Show the tasks and their criteria without doing them')
    .option('--agent <name>', 'Use this agent, alone unless --autonomy is given; see: oka agent list')
    .option('--model <name>', 'Use this model instead of the model of the agent; "none" plans by rules')
    .addOption(
      new Option(
        '--autonomy <level>',
        'Plan the goal as checked tasks; sets how often you are asked',
      ).choices(['manual', 'guided', 'autonomous']),
    )
    .option('--budget <name=amount>', 'Set a limit, such as steps=50; repeatable', collect, [])
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

/** Rejects a goal without visible characters. */
function parseGoal(text: string): string {
  if (/[^\s\p{Cc}\p{Cf}]/u.test(text)) return text;
  throw new OkaError('cli.usage', 'The goal is empty. Example: oka do "read README.md".');
}
