import type { Command } from 'commander';
import type {
  Figures,
  ProcedureExplainAnswer,
  ProcedureListAnswer,
  ProcedureView,
  ScoreReport,
} from '../../api/index.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';

export function proceduresCommand(program: Command, run: Run): void {
  const procedures = program
    .command('procedures')
    .description('List, explain and score procedures')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka procedures list',
        '  oka procedures score                       learn from finished runs',
        '  oka procedures explain learned.4f0c…       its runs and figures, and what promotion still needs',
        '  oka procedures forget learned.4f0c…        erase it and never learn it again',
        '',
        'Write your own procedures in .oka/procedures/<name>.md.',
      ].join('\n'),
    );
  addReadCommands(procedures, run);
  addChangeCommands(procedures, run);
}

function addReadCommands(procedures: Command, run: Run): void {
  procedures
    .command('list')
    .description('List procedures and problems in procedure files')
    .action(() =>
      run(async (context) => {
        const answer = await (await context.open()).procedures.list();
        context.printer.answer(answer, showList);
        for (const { path, line, message, next } of answer.faults)
          context.printer.message(`✗ ${visible(path)}:${line}: ${visible(message)}. ${visible(next)}`);
        if (!answer.trusted)
          context.printer.message(
            'Procedures of this project are ignored until you trust it: oka init --trust',
          );
      }),
    );
  procedures
    .command('show')
    .description('Show a procedure')
    .argument('<procedure>', 'Procedure id or name')
    .action((id: string) =>
      answerWith(
        run,
        async (api) => ({ procedure: await api.procedures.show(id) }),
        (data) => showProcedure(data.procedure).join('\n'),
      ),
    );
  procedures
    .command('explain')
    .description('Explain the status of a procedure: runs, figures and what is missing')
    .argument('<procedure>', 'Procedure id or name')
    .action((id: string) => answerWith(run, (api) => api.procedures.explain(id), showExplanation));
}

function addChangeCommands(procedures: Command, run: Run): void {
  procedures
    .command('score')
    .description('Learn from finished runs, promote and demote; maintenance also does this')
    .action(() => answerWith(run, (api, { by }) => api.procedures.score(by), showScore));
  procedures
    .command('forget')
    .description('Erase a learned procedure and never learn it again')
    .argument('<procedure>', 'Procedure id or name')
    .action((id: string) =>
      answerWith(
        run,
        (api, { by }) => api.procedures.forget(id, by).then(() => ({ forgotten: id })),
        ({ forgotten }) => `Erased ${visible(forgotten)}`,
      ),
    );
}

const ORIGINS = { built_in: 'shipped', file: 'written', promoted: 'learned' } as const;

function showList({ procedures, forming }: ProcedureListAnswer): string {
  const rows = procedures.map(({ id, status, origin, trigger }) => [
    visible(id),
    ORIGINS[origin],
    status,
    clip(trigger.phrases[0] ?? '', 80),
  ]);
  const known =
    rows.length === 0
      ? 'No procedures yet. Write .oka/procedures/<name>.md, or run the same kind of goal of several steps three times'
      : table(['procedure', 'from', 'status', 'for goals such as'], rows);
  const lines = forming.map(
    ({ goals, finished, independent, needed }) =>
      `candidate: ${clip(goals, 80)}  (${finished} runs, ${independent} of ${needed} independent successes)`,
  );
  return [known, ...lines].join('\n');
}

function showProcedure(procedure: ProcedureView): string[] {
  const { steps, pitfalls, checklist, basis, reason, lastValidatedAt, path, description } = procedure;
  const listed = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [title, ...items.map((item) => `  - ${visible(item)}`)];
  return [
    `${visible(procedure.id)}  ${visible(procedure.name)}`,
    `from      ${ORIGINS[procedure.origin]}${path === undefined ? '' : `, ${visible(path)}`}`,
    `status    ${procedure.status}${reason === undefined ? '' : `: ${visible(reason.detail)}`}`,
    ...(lastValidatedAt === undefined ? [] : [`validated ${showTime(lastValidatedAt)} UTC`]),
    ...(description === undefined ? [] : ['', visible(description)]),
    '',
    ...listed('for goals such as', procedure.trigger.phrases),
    'steps',
    ...steps.map(
      ({ title, tool, input }, i) =>
        `  ${i + 1}. ${visible(title)}${tool !== undefined && input === undefined ? '  (advice)' : ''}`,
    ),
    ...listed('pitfalls', pitfalls),
    ...listed('checklist', checklist),
    ...listed('based on', [...basis.tools.map(({ name }) => name), ...basis.files.map((file) => file.path)]),
  ];
}

function showExplanation(answer: ProcedureExplainAnswer): string {
  const { procedure, evidence, precedents, contradictions, waitsFor, history } = answer;
  if (evidence === undefined) {
    return [...showProcedure(procedure), '', 'It was not learned, so it has no evidence'].join('\n');
  }
  return [
    ...showProcedure(procedure),
    '',
    table(
      ['', 'executions', 'median time', 'critic rejections', 'approvals', 'policy refusals'],
      [showFigures('with it', evidence.with), showFigures('without it', evidence.without)],
    ),
    '',
    `learned from  ${precedents.join(', ')}`,
    ...(evidence.with.runs.length === 0 ? [] : [`used in       ${evidence.with.runs.join(', ')}`]),
    ...contradictions.map(({ run, why }) => `against it    ${run}: ${visible(why)}`),
    ...waitsFor.map((why) => `not yet       ${visible(why)}`),
    '',
    ...history.map(
      ({ at, what, reason }) =>
        `${showTime(at)}  ${what}${reason === undefined ? '' : `: ${visible(reason.detail)}`}`,
    ),
  ].join('\n');
}

function showFigures(
  title: string,
  { executions, medianMs, rejections, approvals, refusals }: Figures,
): string[] {
  const time = medianMs === null ? '-' : `${(medianMs / 1_000).toFixed(3)} s`;
  return [title, `${executions}`, time, `${rejections}`, `${approvals}`, `${refusals}`];
}

function showScore({ proposed, promoted, demoted }: ScoreReport): string {
  const lines = [
    ...proposed.map((id) => `candidate ${id}`),
    ...promoted.map((id) => `promoted  ${id}`),
    ...demoted.map((id) => `demoted   ${id}`),
  ];
  return lines.length === 0 ? 'Nothing new' : lines.join('\n');
}
