import { resolve } from 'node:path';
import type { Command } from 'commander';
import { okaHome } from '../../config/index.ts';
import { type Context, parseCount, usageProblem } from '../context.ts';
import { findWorkspace } from '../find-workspace.ts';
import { workInProcess } from '../in-process.ts';
import type { Run } from '../run.ts';

interface WorkerCommandOptions {
  readonly host: string;
  readonly port?: number;
  readonly advertise?: string;
  readonly replace?: boolean;
}

export function workerCommand(program: Command, run: Run): void {
  program
    .command('worker')
    .description('Work for the runs of workspaces on a Restate cluster until it is stopped')
    .argument('[folders...]', 'Workspaces to serve; default: this one')
    .option('--host <address>', 'Address to listen on', '127.0.0.1')
    .option(
      '--port <number>',
      'Port to listen on; 0 chooses a free one (default: the same one each time)',
      parseCount,
    )
    .option('--advertise <url>', 'Address at which Restate reaches the workers of this build')
    .option('--replace', 'Take over from workers with another policy, trust or version, which then stop')
    .addHelpText(
      'after',
      '\nExamples:\n  oka worker\n  oka worker ./shop ./office --port 9080\n  oka worker --host 0.0.0.0 --port 9080 --advertise http://workers:9080',
    )
    .action((folders: readonly string[], options: WorkerCommandOptions) =>
      run((context) => work(context, folders, options)),
    );
}

async function work(
  context: Context,
  folders: readonly string[],
  { host, port, advertise, replace: replaces = false }: WorkerCommandOptions,
): Promise<void> {
  if (advertise !== undefined && !URL.canParse(advertise))
    throw usageProblem(
      `Invalid --advertise "${advertise}": expected an address, such as http://workers:9080.`,
    );
  const named = folders.map((folder) => resolve(context.folder, folder));
  const workspaces = named.length === 0 ? [context.workspace] : named.map((one) => findWorkspace(one) ?? one);
  await workInProcess(
    {
      ...{ folders: workspaces, home: okaHome(), host, replaces },
      ...(port === undefined ? {} : { port }),
      ...(advertise === undefined ? {} : { advertise }),
    },
    context.interrupted,
    {
      onReady: (ready) =>
        context.printer.answer(
          ready,
          ({ url, projects }) => `Worker listens on ${url} for: ${projects.join(', ')}`,
        ),
      onWarning: (what) => context.printer.warning(what),
    },
  );
}
