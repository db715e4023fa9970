import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import {
  type OkaApi,
  OkaError,
  type ReplayMode,
  type RunAnswer,
  type RunListItem,
  systemClock,
  type UndoAnswer,
} from '../../api/index.ts';
import {
  type Context,
  choice,
  collect,
  keyOption,
  parseCount,
  parseJsonArgument,
  parseJsonObject,
  parsePairs,
  startKeyOf,
} from '../context.ts';
import { EXIT, type ExitCode, exitOfRun } from '../exit-codes.ts';
import { finishWithRun, PATIENCE_MS } from '../finish-run.ts';
import {
  clip,
  showExplanation,
  showReplay,
  showRun,
  showRunId,
  showRunList,
  showWaitingRuns,
} from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';
import { listenersOf, watchRun } from '../run-progress.ts';

const MAX_GOAL_LENGTH = 100;
const MAX_RESUMED = 200;
/** Runs that no process works on. */
const NOT_WORKING: RunListItem['status'][] = ['pending', 'interrupted', 'waiting', 'paused'];
const RUN_WORDS = 'Run: its id or the last characters of it, last, or @2 for the one before';
const RUN = new Argument('<run>', RUN_WORDS);

export function runsCommand(program: Command, run: Run): void {
  const runs = program
    .command('runs')
    .description('List, inspect and control runs')
    .addHelpText(
      'after',
      '\nExamples:\n  oka runs list\n  oka runs explain 01j…\n  oka runs resume 01j… --add-budget steps=50\n  oka runs undo 01j…\n\nA run with children waits for what its children wait for. The most urgent reason decides the exit code:\nan approval or question (4), a budget (5), then an event, a paused run, a timer (0).',
    );
  addReadCommands(runs, run);
  addExportCommand(runs, run);
  addControlCommands(runs, run);
  addChangeCommands(runs, run);
}

function addReadCommands(runs: Command, run: Run): void {
  runs
    .command('list')
    .description('List the newest runs')
    .addOption(
      choice(
        '--status <status>',
        'Limit to this status',
        'pending',
        'running',
        'interrupted',
        'waiting',
        'paused',
        'completed',
        'failed',
        'cancelled',
      ),
    )
    .option('--waiting', 'Only what is queued, interrupted, waiting or paused, with its reason and time')
    .option('--limit <n>', 'Show at most this many', parseCount, 20)
    .addHelpText(
      'after',
      '\nExamples:\n  oka runs list --waiting\n  oka runs list --status failed\n  oka runs list --limit 100 --json',
    )
    .action(({ waiting, status, limit }: { status?: string; waiting?: true; limit: number }) =>
      waiting
        ? answerWith(
            run,
            async (api) => ({
              runs: (await api.runs.page({ status: NOT_WORKING, rootsOnly: true, limit })).items,
            }),
            showWaitingRuns,
          )
        : answerWith(
            run,
            async (api, { printer }) => ({
              runs: await api.runs.list({ ...(status && { status }), limit, full: printer.json }),
            }),
            showRunList,
          ),
    );
  runs
    .command('show')
    .description('Show status, output and pending requests of a run')
    .addArgument(RUN)
    .action((id: string) => answerWith(run, (api) => api.runs.show(id), showRun));
  runs
    .command('explain')
    .description('Explain each state, decision, reason, verdict and artifact of a run')
    .addArgument(RUN)
    .action((id: string) => answerWith(run, (api) => api.runs.explain(id), showExplanation));
  runs
    .command('replay')
    .description('Replay a run: narrate it, repeat its decisions, or execute it on a copy')
    .addArgument(RUN)
    .addOption(
      choice('--as <mode>', 'Select the replay mode', 'narrative', 'decision', 'full').default('narrative'),
    )
    .option('--expect-equal', 'Exit with 7 on any difference')
    .addHelpText(
      'after',
      '\nExamples:\n  oka runs replay 01j…                  narrate it\n  oka runs replay 01j… --as decision    ask the planner again with the recorded evidence\n  oka runs replay 01j… --as full        execute it on a copy of your files',
    )
    .action((id: string, options: { as: ReplayMode; expectEqual?: boolean }) =>
      answerWith(
        run,
        (api) => api.runs.replay(id, options.as),
        showReplay,
        (data) => (options.expectEqual && !data.equal ? EXIT.integrity : EXIT.ok),
      ),
    );
}

function addExportCommand(runs: Command, run: Run): void {
  runs
    .command('export')
    .description('Write a run and its children into one HTML file that verifies itself')
    .addArgument(RUN)
    .option('--out <file>', 'File to write (default: run-<id>.html in the current folder)')
    .option('--force', 'Replace an existing file')
    .addHelpText(
      'after',
      '\nThe file has every event of the run, readable and as stored. Anyone can open it in a browser: it needs no network,\nand says whether a byte was changed.\n\nExamples:\n  oka runs export last\n  oka runs export 01j… --out review.html',
    )
    .action((id: string, options: { out?: string; force?: boolean }) =>
      answerWith(
        run,
        async (api) => {
          const { html, name, ...about } = await api.runs.export(id);
          const file = resolve(options.out ?? name);
          writeExport(file, html, options.force ?? false);
          return { ...about, file };
        },
        ({ file, events, end, signed }) =>
          `Wrote ${events} events to ${visible(file)}\nchain ends at ${end}${signed ? ', signed with your key' : ', not signed'}`,
      ),
    );
}

/** Writes the file whole or not at all. */
function writeExport(file: string, html: string, replace: boolean): void {
  if (!replace && existsSync(file))
    throw new OkaError(
      'files.exists',
      `${file} exists. Choose another file with --out, or replace it: --force.`,
      { data: { file } },
    );
  const temporary = `${file}.${process.pid}.new`;
  try {
    writeFileSync(temporary, html, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function addControlCommands(runs: Command, run: Run): void {
  runs
    .command('pause')
    .description('Pause a run and its children at their next step')
    .addArgument(RUN)
    .action((id: string) => answerWith(run, (api, { by }) => api.runs.pause(id, by), showRun, exitOfControl));
  runs
    .command('resume')
    .description('Resume a paused, interrupted, waiting or failed run and its children')
    .argument('[run]', RUN_WORDS)
    .option('--all', 'Resume every queued and interrupted run, and each whose time to wait is over')
    .option(
      '--add-budget <name=amount>',
      'Raise a limit of the run and of its waiting children first; repeatable',
      collect,
      [],
    )
    .option('--repin', 'Continue with the current planner and tools; prints the differences')
    .addHelpText(
      'after',
      '\nExamples:\n  oka runs resume 01j…\n  oka runs resume --all\n  oka runs resume 01j… --add-budget steps=50 --add-budget cost_usd=1',
    )
    .action(
      (id: string | undefined, options: { addBudget: readonly string[]; repin?: boolean; all?: true }) =>
        run(async (context) => {
          const api = await context.open();
          if ((id === undefined) !== (options.all === true))
            throw new OkaError('cli.usage', 'Give a run, or --all. See: oka runs list --waiting');
          if (id === undefined) return resumeAll(context, api, options.repin ?? false);
          if (options.repin)
            for (const difference of await api.runs.pinDifferences(id))
              context.printer.message(`repin ${difference}`);
          const watch = await watchRun(context);
          const answer = await api.runs
            .resume({
              run: id,
              by: context.by,
              repin: options.repin ?? false,
              addBudgets: parsePairs(options.addBudget, '--add-budget'),
              patienceMs: PATIENCE_MS,
              signal: context.interrupted,
              ...listenersOf(watch),
            })
            .finally(() => watch.end());
          return finishWithRun(context, answer, watch);
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
      answerWith(
        run,
        (api, { by }) => api.runs.signal(id, event, parseJsonArgument(json, 'the payload'), by),
        showRun,
        exitOfControl,
      ),
    );
  runs
    .command('cancel')
    .description('Cancel a run and its children')
    .addArgument(RUN)
    .option('--reason <text>', 'Record this reason', 'cancelled by a person')
    .addHelpText('after', '\nExamples:\n  oka runs cancel 01j… --reason "no longer needed"')
    .action((id: string, options: { reason: string }) =>
      answerWith(run, (api, { by }) => api.runs.cancel(id, by, options.reason), showRun),
    );
}

/** Resumes what no process works on and no person has to decide. A paused run was stopped by a person. */
async function resumeAll(context: Context, api: OkaApi, repin: boolean): Promise<ExitCode> {
  const { items } = await api.runs.page({ status: NOT_WORKING, rootsOnly: true, limit: MAX_RESUMED });
  const isDue = ({ status, waitingFor }: RunListItem): boolean =>
    status === 'pending' ||
    status === 'interrupted' ||
    waitingFor?.what === 'budget' ||
    (waitingFor?.until ?? Number.POSITIVE_INFINITY) <= systemClock.now();
  const resumed: RunAnswer['run'][] = [];
  const failures: { run: string; code: string; message: string }[] = [];
  for (const { id } of items.filter((item) => item.status !== 'paused' && isDue(item))) {
    if (context.interrupted.aborted) break;
    const request = { run: id, by: context.by, repin, addBudgets: {}, signal: context.interrupted };
    await api.runs.resume({ ...request, patienceMs: PATIENCE_MS }).then(
      ({ run }) => resumed.push(run),
      (error: unknown) => {
        if (!(error instanceof OkaError)) throw error;
        failures.push({ run: id, code: error.code, message: error.message });
      },
    );
  }
  context.printer.answer({ runs: resumed, failures }, () =>
    resumed.length + failures.length === 0
      ? 'Nothing to resume. See: oka runs list --waiting'
      : [
          ...resumed.map(
            (run) => `${showRunId(run.id)}  ${run.status}  ${clip(run.goal ?? '', MAX_GOAL_LENGTH)}`,
          ),
          ...failures.map(({ run, message }) => `${showRunId(run)}  not resumed: ${visible(message)}`),
        ].join('\n'),
  );
  return failures.length > 0 ? EXIT.failed : EXIT.ok;
}

function addChangeCommands(runs: Command, run: Run): void {
  runs
    .command('fork')
    .description('Start a new run from a step of another run')
    .addArgument(RUN)
    .requiredOption('--step <n>', 'Start from this step', parseCount)
    .option('--vars <json>', 'Change these variables', '{}')
    .addOption(keyOption())
    .addHelpText(
      'after',
      '\nExamples:\n  oka runs explain 01j…             shows step numbers\n  oka runs fork 01j… --step 3\n  oka runs fork 01j… --step 3 --vars \'{"limit":5}\'',
    )
    .action((id: string, options: { step: number; vars: string; key?: string }) =>
      run(async (context) => {
        const vars = parseJsonObject(options.vars, '--vars');
        const { runs: api } = await context.open();
        return finishWithRun(
          context,
          await api.fork(id, options.step, vars, PATIENCE_MS, startKeyOf(options)),
        );
      }),
    );
  runs
    .command('undo')
    .description('Restore the files that a run, its children and its earlier attempts changed')
    .addArgument(RUN)
    .option('--force', 'Overwrite files that have changed since')
    .action((id: string, options: { force?: boolean }) =>
      answerWith(
        run,
        async (api, { by, printer }) => {
          // If it cannot be shown, undo says why.
          const chosen = await api.runs.show(id).catch(() => undefined);
          if (chosen !== undefined) printer.message(showChosen(chosen.run));
          return api.runs.undo(chosen?.run.id ?? id, by, options.force ?? false);
        },
        showUndone,
        ({ changes }) => (changes.every((change) => change.restored) ? EXIT.ok : EXIT.failed),
      ),
    );
  runs
    .command('correct')
    .description('Record what a run got wrong')
    .addArgument(RUN)
    .argument('<text>', 'Correction')
    .addHelpText('after', '\nExamples:\n  oka runs correct 01j… "the totals were without tax"')
    .action((id: string, text: string) =>
      answerWith(
        run,
        (api, { by }) => api.runs.correct(id, text, by),
        () => 'Recorded',
      ),
    );
}

/** Says which run a part of an id or `last` stood for, before something is changed. */
function showChosen({ id, goal = '' }: RunAnswer['run']): string {
  return `run ${showRunId(id)}: ${clip(goal, MAX_GOAL_LENGTH)}`;
}

/** Changes of child runs and of earlier attempts are marked with their run. */
function showUndone({ run, changes, attempts = [] }: UndoAnswer): string {
  return [
    ...changes.map(({ restored, what, run: by }) => {
      const whose = by === run ? '' : `  (run ${showRunId(by)})`;
      return `${restored ? '✓' : '✗'} ${visible(what)}${whose}`;
    }),
    ...(attempts.length === 0
      ? []
      : [`includes the earlier attempts: ${attempts.map(showRunId).join(', ')}`]),
  ].join('\n');
}

function exitOfControl({ run }: RunAnswer): ExitCode {
  return run.status === 'paused' ? EXIT.ok : exitOfRun(run);
}
