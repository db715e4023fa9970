import type { Command } from 'commander';
import type { DaemonStatus, DoctorAnswer } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { describeSilent, isSilent, probeDaemon } from '../daemon-link.ts';
import { EXIT } from '../exit-codes.ts';
import { table } from '../format.ts';
import { placeOf } from '../host-process.ts';
import { withProgress } from '../progress-bar.ts';
import type { Run } from '../run.ts';
import { showError } from './daemon.ts';

const MAX_NAME_WIDTH = 32;

type Check = DoctorAnswer['checks'][number];

export function doctorCommand(program: Command, run: Run): void {
  program
    .command('doctor')
    .description('Check installation, workspace, models and daemon')
    .option('--sandbox', 'Try to leave the sandbox in many ways and print what held')
    .option('--no-models', 'Do not call the configured models')
    .addHelpText(
      'after',
      '\nExamples:\n  oka doctor\n  oka doctor --sandbox\n  oka doctor --no-models\n  oka doctor --sandbox --json',
    )
    .action(({ sandbox = false, models }: { sandbox?: boolean; models: boolean }) =>
      run(async (context) => {
        const answer = await withProgress(context.printer, 'checking', () =>
          runChecks(context, { sandbox, models }),
        );
        context.printer.answer(answer, showChecks);
        if (sandbox && answer.escapes?.length === 0) return EXIT.invalidInput;
        return answer.ok ? EXIT.ok : EXIT.failed;
      }),
    );
}

function showChecks({ checks, middleware, escapes }: DoctorAnswer): string {
  const width = Math.min(MAX_NAME_WIDTH, Math.max(...checks.map(({ name }) => name.length)));
  return [
    ...checks.map(
      ({ name, ok, detail, warning }) => `${!ok ? '✗' : warning ? '!' : '✓'} ${name.padEnd(width)} ${detail}`,
    ),
    ...(middleware.length > 0 ? [`  middleware ${middleware.join(' → ')}`] : []),
    ...(escapes === undefined ? [] : ['', showEscapes(escapes)]),
  ].join('\n');
}

function showEscapes(escapes: NonNullable<DoctorAnswer['escapes']>): string {
  if (escapes.length === 0)
    return 'There is no sandbox to test. Install bubblewrap (package "bubblewrap") and run: oka doctor --sandbox';
  const held = escapes.filter((one) => one.held).length;
  const rows = escapes.map(({ attempt, held, detail }) => [held ? 'held' : 'GOT THROUGH', attempt, detail]);
  return `${table(['result', 'attempt', 'detail'], rows)}\n${held} of ${escapes.length} attempts held.`;
}

async function runChecks(
  context: Context,
  options: { readonly sandbox: boolean; readonly models: boolean },
): Promise<DoctorAnswer> {
  const [found, api] = await Promise.all([probeDaemon(placeOf(context)), context.open()]);
  const answer = await api.doctor(options);
  if (found === undefined) return answer;
  const { checks: own } = answer;
  const others = own.filter(({ name }) => !isSilent(found) || name !== 'daemon');
  if (!isSilent(found)) found.link.close();
  const checks = [...others, ...(isSilent(found) ? [silentCheck(found)] : daemonChecks(found.status))];
  const held = (answer.escapes ?? []).every((one) => one.held);
  return { ...answer, ok: held && checks.every(({ ok }) => ok), checks };
}

function silentCheck(found: Parameters<typeof describeSilent>[0]): Check {
  const { problem, next } = describeSilent(found);
  return { name: 'daemon', ok: false, detail: `${problem} ${next}` };
}

function daemonChecks({ workers, warnings }: DaemonStatus): readonly Check[] {
  return [
    ...workers
      .filter(({ status }) => status !== 'stopped')
      .map((worker) => ({
        name: `worker ${worker.name}`,
        ok: worker.status !== 'failing',
        detail: `${worker.status} ${showError(worker)}`.trimEnd(),
      })),
    ...warnings.map(({ message }) => ({ name: 'warning', ok: true, detail: message })),
  ];
}
