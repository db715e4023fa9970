import type { Command } from 'commander';
import type { DoRequest, Json, RunAnswer } from '../../api/index.ts';
import {
  choice,
  collect,
  keyOption,
  parsePairs,
  SIMULATE_HELP,
  startKeyOf,
  usageProblem,
} from '../context.ts';
import { exitOfRun } from '../exit-codes.ts';
import { finishWithRun, PATIENCE_MS } from '../finish-run.ts';
import { printRun } from '../print-run.ts';
import { visible } from '../printer.ts';
import { readMessage } from '../read-input.ts';
import type { Run } from '../run.ts';
import { listenersOf } from '../run-progress.ts';
import { watchGoal } from '../watch-tasks.ts';

interface DoOptions extends Pick<DoRequest, 'agent' | 'model' | 'autonomy' | 'planOnly'> {
  readonly simulate?: boolean;
  readonly dryRun?: boolean;
  readonly budget: readonly string[];
  readonly key?: string;
}

export function doCommand(program: Command, run: Run): void {
  program
    .command('do')
    .description('Work on a goal until it completes, fails or needs you')
    .argument('<goal>', 'Goal in plain words, or - to read it from standard input')
    .option('--simulate', SIMULATE_HELP)
    .option('--dry-run', 'Same as --simulate')
    .option('--plan-only', 'Show the tasks and their criteria without doing them')
    .option('--agent <name>', 'Use this agent, alone unless --autonomy is given; see: oka agent list')
    .option('--model <name>', 'Use this model instead of the model of the agent; "none" plans by rules')
    .addOption(
      choice(
        '--autonomy <level>',
        'Plan the goal as checked tasks; sets how often you are asked',
        'manual',
        'guided',
        'autonomous',
      ),
    )
    .option('--budget <name=amount>', 'Set a limit, such as steps=50; repeatable', collect, [])
    .addOption(keyOption())
    .addHelpText(
      'after',
      '\nExamples:\n  oka do "write a brief of this folder to BRIEF.md"\n  oka do \'search for "TODO" in src\' --json\n  echo "read README.md" | oka do -\n  oka do "write a brief to BRIEF.md" --simulate\n  oka do "collect the TODOs into TODOS.md, then find duplicate files and check the links" --plan-only',
    )
    .action((given: string, { simulate, dryRun, budget, key, ...options }: DoOptions) =>
      run(async (context) => {
        const simulates = simulate ?? dryRun ?? false;
        const goal = parseGoal(await readMessage(given), given === '-');
        const api = await context.open();
        const watch = await watchGoal(context, { simulates });
        const answer = await api
          .do({
            goal,
            ...options,
            simulate: simulates,
            budgets: parsePairs(budget, '--budget'),
            patienceMs: PATIENCE_MS,
            key: startKeyOf({ key }),
            signal: context.interrupted,
            ...listenersOf(watch),
          })
          .finally(() => watch.end());
        if (!options.planOnly) return finishWithRun(context, answer, watch);
        await printRun(context, answer, answer.run.state === 'planned' ? { show: showPlan } : {});
        return exitOfRun(answer.run);
      }),
    );
}

/** Rejects a goal without visible characters. */
function parseGoal(text: string, isFromInput: boolean): string {
  if (/[^\s\p{Cc}\p{Cf}]/u.test(text)) return text;
  throw usageProblem(
    isFromInput
      ? 'Standard input is empty. Pipe the goal into oka, such as: echo "read README.md" | oka do -'
      : 'The goal is empty. Example: oka do "read README.md".',
  );
}

interface PlannedTask {
  readonly id: string;
  readonly title: string;
  readonly depends_on: readonly string[];
  readonly acceptance: readonly Json[];
}

/** Shows the tasks of a plan in order, with dependencies and criteria. */
function showPlan({ output }: RunAnswer): string {
  const { tasks } = output as unknown as { tasks: readonly PlannedTask[] };
  const lines: string[] = [];
  for (const [i, { id, title, depends_on: needs, acceptance }] of tasks.entries()) {
    lines.push(`${String(i + 1).padStart(3)}  ${visible(id)}  ${visible(title)}`);
    if (needs.length > 0) lines.push(`     after: ${needs.map(visible).join(', ')}`);
    for (const criterion of acceptance) lines.push(`     accepted when: ${showCriterion(criterion)}`);
  }
  return lines.join('\n');
}

/** Such as `file exists: "a.md"`. */
function showCriterion(criterion: Json): string {
  const [name = '', about = null] = Object.entries(criterion as object)[0] ?? [];
  const text = about === true ? '' : `: ${JSON.stringify(about)}`;
  return visible(`${name.replaceAll('_', ' ')}${text}`);
}
