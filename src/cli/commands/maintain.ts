import type { Command } from 'commander';
import type { MaintenanceAnswer, MaintenanceReportView } from '../../api/index.ts';
import { EXIT, type ExitCode, exitOfRun } from '../exit-codes.ts';
import { showBytes } from '../format.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

export function maintainCommand(program: Command, run: Run): void {
  program
    .command('maintain')
    .description('Learn facts, tidy memory, apply retention and update derived files')
    .option('--dry-run', 'Show what would be done without changing anything')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka maintain --dry-run         show what would be learned, removed and written',
        '  oka maintain                   run maintenance',
        '',
        'The daemon runs it once a day. The files are .oka/brain/TODOS.md, .oka/brain/LEARNINGS-<topic>.md and',
        '.oka/memory/<day>.md. Set retention in config.json, such as { "retention": { "runs": "90d" } }.',
      ].join('\n'),
    )
    .action((options: { dryRun?: boolean }) =>
      run(async (context) => {
        const api = await context.open();
        const answer = await api.maintenance.maintain({ dryRun: options.dryRun ?? false });
        context.printer.answer(answer, showAnswer);
        return exitOf(answer);
      }),
    );
}

function exitOf({ outcome, run }: MaintenanceAnswer): ExitCode {
  if (outcome === 'busy') return EXIT.failed;
  return run === undefined || outcome === 'done' ? EXIT.ok : exitOfRun(run);
}

function showAnswer({ outcome, run, report, wouldLearn = [] }: MaintenanceAnswer): string {
  switch (outcome) {
    case 'nothing_changed':
      return 'Nothing has changed since the last maintenance';
    case 'busy':
      return 'Another process is running maintenance. Try again later';
    case 'not_done':
      return [
        `run         ${run?.id ?? ''}`,
        `not done    ${visible(run?.failure?.message ?? run?.status ?? '')}`,
      ].join('\n');
    default:
      return [
        ...(run === undefined ? [] : [`run         ${run.id}`]),
        ...(report === undefined ? [] : showReport(report, outcome === 'would_do')),
        ...wouldLearn.map(({ text, source }) => `  would learn: ${visible(text)} (${visible(source)})`),
      ].join('\n');
  }
}

function showReport(
  { distilled, procedures, facts, retention, files }: MaintenanceReportView,
  would: boolean,
): string[] {
  const be = would ? 'would be ' : '';
  return [
    `learned     ${distilled.added} facts ${be}added, ${distilled.forgotten} ${be}removed with their source`,
    `facts       ${facts.joined} ${be}merged, ${facts.archived} ${be}archived, ${facts.pruned} ${be}erased`,
    `retention   ${retention.archivedRuns} runs ${be}archived, ${retention.erasedEpisodes} episodes ${be}erased, ${showBytes(retention.freedBytes)} ${be}freed`,
    `procedures  ${procedures.scored} ${be}scored, ${procedures.changed.length} ${be}changed`,
    `files       ${files.written.length} ${be}written, ${files.removed.length} ${be}removed, ${files.unchanged} unchanged`,
    ...files.written.map((path) => `  .oka/${path}`),
    ...files.removed.map((path) => `  .oka/${path} ${be}removed`),
    ...files.setAside.map((path) => `  your edited copy ${would ? 'would be' : 'is'} kept as .oka/${path}`),
    ...files.leftAlone.map(
      (path) => `  .oka/${path} was edited again and is not updated. Move it or its .edited copy away`,
    ),
  ];
}
