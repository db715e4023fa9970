import type { Command } from 'commander';
import type { DaemonStatus, DoctorAnswer } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { describeSilent, isSilent, probeDaemon } from '../daemon-link.ts';
import { EXIT } from '../exit-codes.ts';
import { placeOf } from '../host-process.ts';
import type { Run } from '../run.ts';
import { showError } from './daemon.ts';

type Check = DoctorAnswer['checks'][number];

export function doctorCommand(program: Command, run: Run): void {
  program
    .command('doctor')
    .description('Check installation, workspace, models and daemon')
    .action(() =>
      run(async (context) => {
        const answer = await runChecks(context);
        context.printer.answer(answer, showChecks);
        return answer.ok ? EXIT.ok : EXIT.failed;
      }),
    );
}

function showChecks({ checks, middleware }: DoctorAnswer): string {
  return [
    ...checks.map(({ name, ok, detail }) => `${ok ? '✓' : '✗'} ${name.padEnd(10)} ${detail}`),
    ...(middleware.length > 0 ? [`  middleware ${middleware.join(' → ')}`] : []),
  ].join('\n');
}

async function runChecks(context: Context): Promise<DoctorAnswer> {
  const [found, api] = await Promise.all([probeDaemon(placeOf(context)), context.open()]);
  const { checks: own, middleware } = await api.doctor();
  if (found === undefined) return { ok: own.every(({ ok }) => ok), checks: own, middleware };
  const others = own.filter(({ name }) => !isSilent(found) || name !== 'daemon');
  if (!isSilent(found)) found.link.close();
  const checks = [...others, ...(isSilent(found) ? [silentCheck(found)] : daemonChecks(found.status))];
  return { ok: checks.every(({ ok }) => ok), checks, middleware };
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
