import type { Command } from 'commander';
import type { EventView, LedgerBranch, RepairAnswer, VerifyAnswer } from '../../api/index.ts';
import { choice, parseAmount, parseCount } from '../context.ts';
import { exitOfVerification } from '../exit-codes.ts';
import { pathArgument } from '../find-workspace.ts';
import { clip, showBytes, showTime, table } from '../format.ts';
import { ProgressBar, withProgress } from '../progress-bar.ts';
import { answerWith, type Run } from '../run.ts';

const DAY_MS = 86_400_000;

export function ledgerCommand(program: Command, run: Run): void {
  const ledger = program
    .command('ledger')
    .description('Read, verify, repair and prune the ledger')
    .addHelpText(
      'after',
      '\nExamples:\n  oka ledger tail --follow\n  oka ledger verify\n  oka ledger export > ledger.jsonl\n  oka ledger gc --bodies-days 90 --dry-run',
    );
  addReadCommands(ledger, run);
  addVerifyCommands(ledger, run);
  addGcCommand(ledger, run);
  addCopyCommand(ledger, run);
}

function addReadCommands(ledger: Command, run: Run): void {
  ledger
    .command('tail')
    .description('Show the newest events')
    .option('--follow', 'Keep printing new events')
    .option('--run <run>', 'Limit to this run')
    .option('--last <n>', 'Start with this many events', parseCount, 20)
    .addHelpText('after', '\nExamples:\n  oka ledger tail --last 5\n  oka ledger tail --run 01j… --follow')
    .action((options: { follow?: boolean; run?: string; last: number }) =>
      run(async (context) => {
        const api = await context.open();
        const { printer } = context;
        const tail = api.ledger.tail({ follow: false, ...options, signal: context.interrupted });
        const events: EventView[] = [];
        let shown = 0;
        for await (const event of tail) {
          shown += 1;
          if (printer.json && !options.follow) events.push(event);
          else if (!printer.line(printer.json ? JSON.stringify(event) : showEvent(event))) break;
        }
        if (shown === 0) printer.message('No events yet');
        if (printer.json && !options.follow) printer.answer({ events }, () => '');
      }),
    );
  ledger
    .command('export')
    .description('Export every event as a line of JSON')
    .action(() =>
      run(async (context) => {
        const { printer } = context;
        const bar = new ProgressBar(printer);
        let done = 0;
        for await (const line of (await context.open()).ledger.export()) {
          // The lines themselves show the progress on a terminal.
          if (!process.stdout.isTTY) bar.show({ what: 'exporting', done });
          done += 1;
          if (!printer.record(line)) break;
        }
        bar.end();
      }),
    );
  ledger
    .command('stats')
    .description('Show event counts, sizes and growth')
    .action(() =>
      answerWith(
        run,
        (api) => api.ledger.stats(),
        (stats) =>
          [
            `events    ${stats.events} in ${stats.streams} streams${stats.archived ? `, ${stats.archived} archived` : ''}`,
            `database  ${showBytes(stats.databaseBytes)}`,
            `mirror    ${showBytes(stats.mirrorBytes)}`,
            `artifacts ${showBytes(stats.artifactBytes)}`,
            '',
            table(
              ['day', 'events', 'bytes'],
              stats.growth.map((day) => [day.day, String(day.events), showBytes(day.bytes)]),
            ),
            '',
            table(
              ['type', 'events', 'bytes'],
              stats.types.map((type) => [type.type, String(type.events), showBytes(type.bytes)]),
            ),
          ].join('\n'),
      ),
    );
}

function showEvent(event: EventView): string {
  const content = event.erased ? '(erased)' : clip(JSON.stringify(event.body ?? event.data), 120);
  return `${event.seq}  ${showTime(event.at)}  ${event.stream}  ${event.type}  ${content}`;
}

function addVerifyCommands(ledger: Command, run: Run): void {
  ledger
    .command('verify')
    .description('Verify events, tables, mirror, blobs and vault; changes nothing')
    .option('--full', 'Verify everything, also of a large ledger that was verified before')
    .addHelpText('after', '\nExamples:\n  oka ledger verify\n  oka ledger verify --full')
    .action((options: { full?: boolean }) =>
      run(async (context) => {
        const { ledger: api } = await context.open();
        const answer = await withProgress(context.printer, 'verifying', (show) =>
          api.verify({
            full: options.full ?? false,
            signal: context.interrupted,
            onProgress: ({ phase, ...counts }) => show({ ...counts, what: `verifying ${phase}` }),
          }),
        );
        context.printer.answer(answer, showVerification);
        return exitOfVerification(answer);
      }),
    );
  ledger
    .command('repair')
    .description('Repair database, mirror, blobs and vault from what is sound; keeps what it replaces')
    .addOption(
      choice(
        '--keep <copy>',
        'Use this copy where database and run_ledger.jsonl contradict each other',
        'database',
        'mirror',
      ),
    )
    .option('--backup <file>', 'Restore lost blobs and credentials from this backup', pathArgument)
    .option('--accept-loss', 'Record what cannot be restored as lost')
    .option('--accept-head', 'Continue with this ledger although it differs from the head that was signed')
    .addHelpText(
      'after',
      '\nExamples:\n  oka ledger repair\n  oka ledger repair --keep database\n  oka ledger repair --backup oka-backup.tar.gz',
    )
    .action(
      (options: {
        keep?: 'database' | 'mirror';
        backup?: string;
        acceptLoss?: boolean;
        acceptHead?: boolean;
      }) =>
        answerWith(
          run,
          (api, { by }) => api.ledger.repair({ acceptLoss: false, ...options, by }),
          showRepair,
          exitOfVerification,
        ),
    );
  ledger
    .command('rebuild')
    .description('Rebuild the tables from the events, or the database from run_ledger.jsonl')
    .addOption(
      choice(
        '--from <source>',
        'Rebuild from this source (default: the mirror if the database is missing)',
        'table',
        'mirror',
      ),
    )
    .action((options: { from?: 'table' | 'mirror' }) =>
      answerWith(
        run,
        (api, { printer }) =>
          withProgress(printer, 'rebuilding', (show) =>
            api.ledger.rebuild(options.from, (done, total) => show({ done, total })),
          ),
        ({ from, events, dropped, kept }) =>
          [
            `Rebuilt from the ${from}: ${events} events`,
            ...(dropped > 0 ? [`Dropped ${dropped} events of an incomplete last transaction`] : []),
            ...(kept ? [`Kept the old database: ${kept}`] : []),
          ].join('\n'),
      ),
    );
}

function addCopyCommand(ledger: Command, run: Run): void {
  ledger
    .command('copy')
    .description('Copy the ledger between the workspace and PostgreSQL, and prove that both are equal')
    .requiredOption('--from <ledger>', 'Copy from here: workspace, or a postgres:// URL')
    .requiredOption(
      '--to <ledger>',
      'Copy to here: workspace, or a postgres:// URL (?schema=name chooses a schema)',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  oka ledger copy --from workspace --to postgres://oka@db.example/oka\n  oka ledger copy --from postgres://oka@db.example/oka --to workspace',
    )
    .action((options: { from: string; to: string }) =>
      answerWith(
        run,
        (api, { printer }) =>
          withProgress(printer, 'copying', (show) =>
            api.ledger.copy({ ...options, onProgress: (done, total) => show({ done, total }) }),
          ),
        ({ from, to, events, artifacts, head, tables }) =>
          [
            `Copied ${events} events and ${artifacts} artifacts`,
            `from      ${from}`,
            `to        ${to}`,
            `equal     ${tables.length} tables, ${tables.reduce((sum, { rows }) => sum + rows, 0)} rows`,
            `head      ${head.seq} ${head.hash}`,
          ].join('\n'),
      ),
    );
}

function showVerification({ summary, since, faults, notes, repair, head, server }: VerifyAnswer): string {
  return [
    summary,
    ...faults.map((fault) => `✗ ${fault.where}: ${fault.what}`),
    ...(since ? ['To verify everything again: oka ledger verify --full'] : []),
    ...notes,
    ...(repair ? [`To repair: ${repair}`] : []),
    ...(server === undefined ? [] : [`ledger    ${server}`]),
    `head      ${head.seq} ${head.hash}`,
  ].join('\n');
}

function showRepair({ ok, repaired, kept, diverged, faults, next }: RepairAnswer): string {
  return [
    ...repaired,
    ...kept.map((file) => `Kept: ${file}`),
    ...(diverged?.branches ?? []).map(showBranch),
    ...faults.map((fault) => `✗ ${fault.where}: ${fault.what}`),
    ok
      ? repaired.length === 0
        ? 'Nothing to repair.'
        : 'Everything is sound now.'
      : 'Not everything is sound.',
    ...next.map((command) => `Next: ${command}`),
  ].join('\n');
}

function showBranch({ source, events, firstAt, lastAt, runs, types }: LedgerBranch): string {
  const times = firstAt === undefined ? '' : `, ${showTime(firstAt)} to ${showTime(lastAt ?? firstAt)}`;
  const what = Object.entries(types).map(([type, count]) => `${count} ${type}`);
  return [
    `The ${source} continues with ${events} ${events === 1 ? 'event' : 'events'}${times}:`,
    `  ${clip(what.join(', '), 200)}`,
    ...(runs.length === 0 ? [] : [`  runs ${clip(runs.join(', '), 200)}`]),
  ].join('\n');
}

function addGcCommand(ledger: Command, run: Run): void {
  ledger
    .command('gc')
    .description('Erase old content and unreferenced artifacts; the chain stays valid')
    .option('--bodies-days <n>', 'Erase the content of runs that ended more than n days ago', parseAmount)
    .option('--bodies-bytes <n>', 'Erase the oldest content until n bytes are left', parseCount)
    .option('--archive-days <n>', 'Archive runs that ended more than n days ago', parseAmount)
    .option('--dry-run', 'Show what would be erased')
    .addHelpText(
      'after',
      '\nExamples:\n  oka ledger gc --bodies-days 90 --dry-run\n  oka ledger gc --archive-days 365',
    )
    .action(
      (options: { bodiesDays?: number; bodiesBytes?: number; archiveDays?: number; dryRun?: boolean }) =>
        answerWith(
          run,
          (api, { by }) => {
            const { dryRun = false, bodiesDays, bodiesBytes, archiveDays } = options;
            return api.ledger.gc({
              by,
              dryRun,
              ...(bodiesDays === undefined ? {} : { bodiesOlderThanMs: bodiesDays * DAY_MS }),
              ...(bodiesBytes === undefined ? {} : { bodiesOverBytes: bodiesBytes }),
              ...(archiveDays === undefined ? {} : { archiveOlderThanMs: archiveDays * DAY_MS }),
            });
          },
          (gone) =>
            `${gone.dryRun ? 'Would erase' : 'Erased'}: ${gone.erasedBodies} bodies, ${gone.archivedRuns} runs, ${gone.deletedArtifacts} artifacts, ${showBytes(gone.freedBytes)}`,
        ),
    );
}
