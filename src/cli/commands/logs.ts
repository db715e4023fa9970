import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../api/index.ts';
import { parseDuration } from '../../config/index.ts';
import { type Context, parseCount } from '../context.ts';
import { showTime } from '../format.ts';
import { followLogs, type LogEntry, readLogs } from '../log-files.ts';
import { type Printer, visible } from '../printer.ts';
import type { Run } from '../run.ts';

interface LogsOptions {
  readonly follow?: boolean;
  readonly since?: number;
  readonly run?: string;
  readonly last: number;
}

const MINUTE_MS = 60_000;

export function logsCommand(program: Command, run: Run): void {
  program
    .command('logs')
    .description('Show what the daemon and agents logged, newest last')
    .option('-f, --follow', 'Keep printing new entries until interrupted')
    .option('--since <when>', 'Start at a time, or this long ago: 30m, 12h, 7d', parseSince)
    .option('--run <run>', 'Limit to entries about this run')
    .option('--last <n>', 'Show at most this many', parseCount, 200)
    .addHelpText(
      'after',
      '\nExamples:\n  oka logs\n  oka logs -f\n  oka logs --since 2h\n  oka logs --run 01j…\n\nSteps of a run: oka runs explain <run>. Every event: oka ledger tail --follow',
    )
    .action((options: LogsOptions) =>
      run(async (context) => {
        const { printer, workspace } = context;
        const isWanted = filterOf(await withWholeId(context, options));
        const found = readLogs(workspace).filter(isWanted);
        const entries = options.last === 0 ? [] : found.slice(-options.last);
        if (!options.follow) {
          printer.answer({ entries }, (data) =>
            data.entries.map((entry) => showEntry(entry, printer.dataColors)).join('\n'),
          );
          if (entries.length === 0) printer.message(emptySentence(options));
          return;
        }
        const print = (entry: LogEntry): boolean =>
          printer.line(printer.json ? JSON.stringify(entry) : showEntry(entry, printer.dataColors));
        for (const entry of entries) print(entry);
        if (entries.length === 0) printer.message('No logs yet. Waiting; stop with Ctrl-C.');
        for await (const entry of followLogs(workspace, context.interrupted))
          if (isWanted(entry) && !print(entry)) return;
      }),
    );
}

/** Logs have whole ids; a person writes a part of one, or `last`. */
async function withWholeId(context: Context, options: LogsOptions): Promise<LogsOptions> {
  if (options.run === undefined) return options;
  const { run } = await (await context.open()).runs.show(options.run);
  return { ...options, run: run.id };
}

function emptySentence({ since, run }: LogsOptions): string {
  if (since !== undefined || run !== undefined) return 'No matching entries.';
  return 'No logs yet. The daemon and agents that run in the background write them; start the daemon with: oka up';
}

function filterOf({ since, run }: LogsOptions): (entry: LogEntry) => boolean {
  return ({ at, what, more }) => {
    if (since !== undefined && (at === undefined || Date.parse(at) < since)) return false;
    if (run === undefined) return true;
    return what.includes(run) || Object.values(more).includes(run);
  };
}

function showEntry(entry: LogEntry, colors: Printer['dataColors']): string {
  const { from, at, level, what, more } = entry;
  if (at === undefined) return `  ${visible(what)}`;
  const facts = Object.entries(more).map(([name, value]) => `${name}=${showValue(value)}`);
  const message = level === 'warning' ? colors.yellow(`warning: ${visible(what)}`) : visible(what);
  return [colors.dim(showTime(Date.parse(at))), from.padEnd(9), message, colors.dim(visible(facts.join(' ')))]
    .filter((part) => part !== '')
    .join('  ')
    .trimEnd();
}

function showValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parseSince(text: string): number {
  const [, minutes] = /^([1-9]\d{0,5})m$/.exec(text) ?? [];
  const backMs = minutes === undefined ? parseDuration(text) : Number(minutes) * MINUTE_MS;
  if (backMs !== undefined) return systemClock.now() - backMs;
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new InvalidArgumentError(
    'Expected a duration such as 30m, 12h or 7d, a day such as 2026-01-31, or an ISO 8601 time',
  );
}
