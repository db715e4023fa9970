import { Argument, type Command, Option } from 'commander';
import type { ReplayAnswer, ReplayMode, RunAnswer } from '../../api/index.ts';
import { collect, parseCount, parseJsonArgument, parseJsonObject, parsePairs } from '../context.ts';
import { EXIT, exitOfRun } from '../exit-codes.ts';
import { finishWithRun, PATIENCE_MS } from '../finish-run.ts';
import { clip, showExplanation, showRun, showRunList } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';
import { liveTimeline } from '../timeline.ts';

const RUN = new Argument('<run>', 'Run id');

export function runsCommand(program: Command, run: Run): void {
  const runs = program
    .command('runs')
    .description('List, inspect and control runs')
    .addHelpText(
      'after',
      '\nExamples:\n  oka runs list\n  oka runs explain 01j…\n  oka runs resume 01j… --add-budget steps=50\n  oka runs undo 01j…',
    );
  addListCommand(runs, run);
  addShowCommands(runs, run);
  addReplayCommand(runs, run);
  addControlCommands(runs, run);
  addChangeCommands(runs, run);
}

function addListCommand(runs: Command, run: Run): void {
  runs
    .command('list')
    .description('List the newest runs')
    .addOption(
      new Option('--status <status>', 'Limit to this status').choices([
        'pending',
        'running',
        'waiting',
        'paused',
        'completed',
        'failed',
        'cancelled',
      ]),
    )
    .option('--limit <n>', 'Show at most this many', parseCount, 20)
    .addHelpText('after', '\nExamples:\n  oka runs list --status waiting\n  oka runs list --limit 100 --json')
    .action((options: { status?: string; limit: number }) =>
      run(async (context) => {
        const found = await (await context.open()).runs.list({ ...options, full: context.printer.json });
        context.printer.answer({ runs: found }, (data) => showRunList(data.runs));
        return EXIT.ok;
      }),
    );
}

function addShowCommands(runs: Command, run: Run): void {
  runs
    .command('show')
    .description('Show status, output and pending requests of a run')
    .addArgument(RUN)
    .action((id: string) =>
      run(async (context) => {
        context.printer.answer(await (await context.open()).runs.show(id), showRun);
        return EXIT.ok;
      }),
    );
  runs
    .command('explain')
    .description('Explain each state, decision, reason, verdict and artifact of a run')
    .addArgument(RUN)
    .action((id: string) =>
      run(async (context) => {
        context.printer.answer(await (await context.open()).runs.explain(id), showExplanation);
        return EXIT.ok;
      }),
    );
}

function addReplayCommand(runs: Command, run: Run): void {
  runs
    .command('replay')
    .description('Replay a run: narrate it, repeat its decisions, or execute it on a copy')
    .addArgument(RUN)
    .addOption(
      new Option('--as <mode>', 'Select the replay mode')
        .choices(['narrative', 'decision', 'full'])
        .default('narrative'),
    )
    .option('--expect-equal', 'Exit with 7 on any difference')
    .addHelpText(
      'after',
      '\nExamples:\n  oka runs replay 01j…                  narrate it\n  oka runs replay 01j… --as decision    ask the planner again with the recorded evidence\n  oka runs replay 01j… --as full        execute it on a copy of your files',
    )
    .action((id: string, options: { as: ReplayMode; expectEqual?: boolean }) =>
      run(async (context) => {
        const answer = await (await context.open()).runs.replay(id, options.as);
        context.printer.answer(answer, showReplay);
        return options.expectEqual && !answer.equal ? EXIT.integrity : EXIT.ok;
      }),
    );
}

function showReplay(answer: ReplayAnswer): string {
  if (answer.narrative) return answer.narrative.map(visible).join('\n');
  const differences = answer.differences.map(
    ({ step, recorded, replayed }) =>
      `step ${step} differs\n  then: ${clip(JSON.stringify(recorded), 300)}\n  now:  ${clip(JSON.stringify(replayed), 300)}`,
  );
  const verdict = answer.equal
    ? `equal: ${answer.compared} decisions compared`
    : `${differences.length} of ${answer.compared} differ`;
  return [verdict, ...differences, ...answer.notes.map((note) => `note: ${note}`)].join('\n');
}

function addControlCommands(runs: Command, run: Run): void {
  runs
    .command('pause')
    .description('Pause a run at its next step')
    .addArgument(RUN)
    .action((id: string) =>
      run(async (context) => answerRun(await (await context.open()).runs.pause(id, context.by), context)),
    );
  runs
    .command('resume')
    .description('Resume a paused, crashed, waiting or failed run')
    .addArgument(RUN)
    .option('--add-budget <name=amount>', 'Raise a limit first; repeatable', collect, [])
    .option('--repin', 'Continue with the current planner and tools; prints the differences')
    .addHelpText(
      'after',
      '\nExamples:\n  oka runs resume 01j…\n  oka runs resume 01j… --add-budget steps=50 --add-budget cost_usd=1',
    )
    .action((id: string, options: { addBudget: readonly string[]; repin?: boolean }) =>
      run(async (context) => {
        const api = await context.open();
        if (options.repin)
          for (const difference of await api.runs.pinDifferences(id))
            context.printer.message(`repin ${difference}`);
        const answer = await api.runs.resume({
          run: id,
          by: context.by,
          repin: options.repin ?? false,
          addBudgets: parsePairs(options.addBudget, '--add-budget'),
          patienceMs: PATIENCE_MS,
          signal: context.interrupted,
          onEvent: liveTimeline(context.printer),
        });
        return finishWithRun(context, answer);
      }),
    );
  runs
    .command('signal')
    .description('Send an event to a waiting run')
    .addArgument(RUN)
    .argument('<event>', 'Event name')
    .argument('[json]', 'Payload as JSON', 'null')
    .addHelpText(
      'after',
      '\nExamples:\n  oka runs signal 01j… invoice.paid\n  oka runs signal 01j… invoice.paid \'{"number":7}\'',
    )
    .action((id: string, event: string, json: string) =>
      run(async (context) => {
        const payload = parseJsonArgument(json, 'the payload');
        return answerRun(await (await context.open()).runs.signal(id, event, payload, context.by), context);
      }),
    );
  runs
    .command('cancel')
    .description('Cancel a run and its children')
    .addArgument(RUN)
    .option('--reason <text>', 'Record this reason', 'cancelled by a person')
    .addHelpText('after', '\nExamples:\n  oka runs cancel 01j… --reason "no longer needed"')
    .action((id: string, options: { reason: string }) =>
      run(async (context) => {
        context.printer.answer(
          await (await context.open()).runs.cancel(id, context.by, options.reason),
          showRun,
        );
        return EXIT.ok;
      }),
    );
}

function addChangeCommands(runs: Command, run: Run): void {
  runs
    .command('fork')
    .description('Start a new run from a step of another run')
    .addArgument(RUN)
    .requiredOption('--step <n>', 'Start from this step', parseCount)
    .option('--vars <json>', 'Change these variables', '{}')
    .addHelpText(
      'after',
      '\nExamples:\n  oka runs explain 01j…             shows step numbers\n  oka runs fork 01j… --step 3\n  oka runs fork 01j… --step 3 --vars \'{"limit":5}\'',
    )
    .action((id: string, options: { step: number; vars: string }) =>
      run(async (context) => {
        const vars = parseJsonObject(options.vars, '--vars');
        return finishWithRun(
          context,
          await (await context.open()).runs.fork(id, options.step, vars, PATIENCE_MS),
        );
      }),
    );
  runs
    .command('undo')
    .description('Restore the files that a run changed')
    .addArgument(RUN)
    .option('--force', 'Overwrite files that have changed since')
    .action((id: string, options: { force?: boolean }) =>
      run(async (context) => {
        const answer = await (await context.open()).runs.undo(id, context.by, options.force ?? false);
        context.printer.answer(answer, ({ changes }) =>
          changes.map((change) => `${change.restored ? '✓' : '✗'} ${visible(change.what)}`).join('\n'),
        );
        return answer.changes.every((change) => change.restored) ? EXIT.ok : EXIT.failed;
      }),
    );
  runs
    .command('correct')
    .description('Record what a run got wrong')
    .addArgument(RUN)
    .argument('<text>', 'Correction')
    .addHelpText('after', '\nExamples:\n  oka runs correct 01j… "the totals were without tax"')
    .action((id: string, text: string) =>
      run(async (context) => {
        context.printer.answer(
          await (await context.open()).runs.correct(id, text, context.by),
          () => 'Recorded',
        );
        return EXIT.ok;
      }),
    );
}

function answerRun(answer: RunAnswer, context: Parameters<Parameters<Run>[0]>[0]) {
  context.printer.answer(answer, showRun);
  return answer.run.status === 'paused' ? EXIT.ok : exitOfRun(answer.run);
}
