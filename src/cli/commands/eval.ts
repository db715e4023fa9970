import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import {
  type EvalAddAnswer,
  type EvalItem,
  type EvalResult,
  type EvalRunAnswer,
  type EvalShowAnswer,
  type EvalUpdateAnswer,
  OkaError,
} from '../../api/index.ts';
import { collect, parsePairs } from '../context.ts';
import { EXIT, type ExitCode, exitOfError } from '../exit-codes.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { withProgress } from '../progress-bar.ts';
import { answerWith, type Run } from '../run.ts';

const DECISION_WIDTH = 100;

export function evalCommand(program: Command, run: Run): void {
  const evals = program
    .command('eval')
    .description('Use recorded runs as regression tests of agents, graphs, policies and prompts')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka eval add 01j… --name leave-a-note   make a recorded run a case: evals/leave-a-note.json',
        '  oka eval run                            repeat the decisions of all cases offline, at no cost',
        '  oka eval run --junit report.xml         for CI; exits with 1 on a divergence',
        '  oka eval run leave-a-note --live        ask the configured model, and compare result and cost',
        '  oka eval run --live --budget cost_usd=1  stop when all cases together have cost 1 dollar',
        '  oka eval update leave-a-note            accept the decisions of today',
      ].join('\n'),
    );
  addCaseCommands(evals, run);
  addRunCommands(evals, run);
}

function addCaseCommands(evals: Command, run: Run): void {
  evals
    .command('add')
    .description('Make an ended run, with its children, a case in evals/')
    .argument('<run>', 'Run id')
    .option('--name <name>', 'Name the case; the default is made from the goal')
    .option('--replace', 'Replace a case of the same name')
    .action((id: string, { name, replace = false }: { name?: string; replace?: boolean }) =>
      answerWith(
        run,
        (api) => api.evals.add({ run: id, replace, ...(name === undefined ? {} : { name }) }),
        showAdded,
      ),
    );
  evals
    .command('list')
    .description('List cases')
    .action(() => answerWith(run, async (api) => ({ cases: await api.evals.list() }), showList));
  evals
    .command('show')
    .description('Show the expected decisions of a case')
    .argument('<case>', 'Case name')
    .action((name: string) => answerWith(run, (api) => api.evals.show(name), showCase));
}

function addRunCommands(evals: Command, run: Run): void {
  evals
    .command('run')
    .description('Repeat the decisions of cases with the workspace of today; exit with 1 if they diverge')
    .argument('[case...]', 'Case names; all by default')
    .option('--live', 'Ask the configured models, and compare result, steps and cost')
    .option('--junit <file>', 'Write a JUnit report')
    .option('--budget <name=amount>', 'Limit all live cases together, such as cost_usd=1', collect, [])
    .action((cases: readonly string[], { live = false, junit, budget }: RunOptions) =>
      run(async (context) => {
        const { interrupted: signal } = context;
        const budgets = parsePairs(budget, '--budget');
        if (budget.length > 0 && !live)
          throw new OkaError('cli.usage', '--budget limits what models cost, so it needs --live.');
        const request = { cases, live, junit: junit !== undefined, budgets, signal };
        const { evals: api } = await context.open();
        const { junit: report, ...answer } = await withProgress(context.printer, 'running cases', (show) =>
          api.run({ ...request, onProgress: (done, total) => show({ done, total }) }),
        );
        if (junit !== undefined) await writeFile(resolve(junit), report ?? '');
        context.printer.answer(answer, showResults);
        return exitOfEval(answer.results);
      }),
    );
  evals
    .command('update')
    .description('Expect the decisions of today')
    .argument('<case...>', 'Case names')
    .action((cases: readonly string[]) => answerWith(run, (api) => api.evals.update(cases), showUpdated));
}

interface RunOptions {
  readonly live?: boolean;
  readonly junit?: string;
  readonly budget: readonly string[];
}

/** A failed case counts more than one that the budget did not cover. */
function exitOfEval(results: readonly EvalResult[]): ExitCode {
  const failed = results.filter(({ passed }) => !passed);
  if (failed.length === 0) return EXIT.ok;
  return failed.every(({ error }) => exitOfError(error?.code ?? '') === EXIT.budget)
    ? EXIT.budget
    : EXIT.failed;
}

function showAdded({ case: added, notes }: EvalAddAnswer): string {
  const count = `${added.decisions} decisions of ${added.runs} ${added.runs === 1 ? 'run' : 'runs'}`;
  return [`${visible(added.path)}  ${count}`, ...notes.map((note) => `note: ${visible(note)}`)].join('\n');
}

function showList({ cases }: { readonly cases: readonly EvalItem[] }): string {
  if (cases.length === 0) return 'No cases yet. Add one with: oka eval add <run>';
  const rows = cases.map(({ name, kind, status, decisions, recordedAt, goal }) => [
    visible(name),
    kind,
    status,
    `${decisions}`,
    showTime(recordedAt),
    clip(goal, 80),
  ]);
  return table(['case', 'kind', 'recorded as', 'decisions', 'recorded (UTC)', 'goal'], rows);
}

function showCase({ name, goal, run, steps, acceptance }: EvalShowAnswer): string {
  const rows = steps.map(({ step, state, decision, policy = '', asksModel }) => [
    `${step}`,
    visible(state),
    policy,
    asksModel ? 'model' : '',
    clip(JSON.stringify(decision), DECISION_WIDTH),
  ]);
  return [
    `${visible(name)}  ${visible(goal)}`,
    `run       ${run}`,
    ...acceptance.map((condition) => `accepted  ${clip(JSON.stringify(condition), DECISION_WIDTH)}`),
    '',
    table(['step', 'state', 'policy', 'asks', 'decision'], rows),
  ].join('\n');
}

function showResults({ passed, results }: Omit<EvalRunAnswer, 'junit'>): string {
  if (results.length === 0) return 'No cases yet. Add one with: oka eval add <run>';
  const rows = results.map((result) => [result.passed ? '✓' : '✗', visible(result.name), summaryOf(result)]);
  const notRun = results.filter(({ error }) => error?.code === 'eval.not_run').length;
  const failed = results.filter((result) => !result.passed).length - notRun;
  const skipped = notRun === 0 ? '' : `, ${notRun} not run`;
  const end = passed ? `${results.length} passed` : `${failed} of ${results.length} failed${skipped}`;
  return [table(['', 'case', 'result'], rows), ...results.flatMap(showProblems), '', end].join('\n');
}

function summaryOf({ error, divergences, acceptance, compared, figures }: EvalResult): string {
  if (error !== undefined) return error.code;
  const criteria = criteriaOf(acceptance);
  if (figures !== undefined) {
    const { recorded, live } = figures;
    const cost = `$${recorded.costUsd.toFixed(4)} → $${live.costUsd.toFixed(4)}`;
    return `${live.status}, ${criteria}; steps ${recorded.steps} → ${live.steps}, tokens ${recorded.tokens} → ${live.tokens}, cost ${cost}`;
  }
  const diverged = divergences.length === 0 ? 'equal' : `${divergences.length} diverged`;
  return `${compared} decisions ${diverged}; ${criteria}`;
}

function criteriaOf(acceptance: EvalResult['acceptance']): string {
  const count = (wanted: boolean | null) => acceptance.filter(({ holds }) => holds === wanted).length;
  const [unmet, unchecked] = [count(false), count(null)];
  const checked = unmet > 0 ? `${unmet} ${unmet === 1 ? 'criterion' : 'criteria'} not met` : 'criteria hold';
  return unchecked === 0 ? checked : `${checked}, ${unchecked} not checked`;
}

function showProblems({ name, error, divergences, acceptance, changes }: EvalResult): readonly string[] {
  const lines = [
    ...(error === undefined ? [] : [visible(error.message)]),
    ...divergences.flatMap(({ kind, step, state, diff, repeated, run }) => {
      const place =
        kind === 'missing' ? `missing for run ${run}` : `${kind} at step ${step} (${visible(state)})`;
      const more = repeated === 0 ? '' : `, and at ${repeated} later steps`;
      return [`${place}${more}`, ...diff.map((line) => `  ${visible(line)}`)];
    }),
    ...changes.map((change) => `changed: ${visible(change)}`),
    ...acceptance.flatMap(({ criterion, holds, why }) => {
      if (holds === null) return [`${visible(criterion)}: ${visible(why ?? 'not checked')}`];
      return holds ? [] : [`not met: ${visible(criterion)}${why === undefined ? '' : ` (${visible(why)})`}`];
    }),
  ];
  return lines.length === 0 ? [] : ['', `${visible(name)}`, ...lines.map((line) => `  ${line}`)];
}

function showUpdated({ updated }: EvalUpdateAnswer): string {
  return updated
    .map(({ name, decisions }) =>
      decisions === 0 ? `${visible(name)}  unchanged` : `${visible(name)}  ${decisions} decisions updated`,
    )
    .join('\n');
}
