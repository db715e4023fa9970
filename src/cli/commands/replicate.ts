import type { Command } from 'commander';
import type { ReplicationStatus, ReplicationVerifyAnswer } from '../../api/index.ts';
import { exitOfVerification } from '../exit-codes.ts';
import { showDuration, showTime } from '../format.ts';
import { answerWith, type Run } from '../run.ts';

export function replicateCommand(program: Command, run: Run): void {
  const replicate = program
    .command('replicate')
    .description('Copy the ledger and memory to PostgreSQL or an HTTP endpoint')
    .addHelpText(
      'after',
      '\nExamples:\n  oka replicate status\n  oka replicate once\n  oka replicate verify\n  oka replicate follow        until interrupted\n\nConfigure the sink under "replication" in config.json in your Oka folder.',
    );
  replicate
    .command('status')
    .description('Show the sink, its lag and the last error')
    .action(() => answerWith(run, (api) => api.replication.status(), showStatus));
  replicate
    .command('once')
    .description('Send all pending events')
    .action(() =>
      answerWith(
        run,
        (api, { interrupted }) => api.replication.once(interrupted),
        ({ sink, events, cursor }) =>
          `${events === 0 ? 'Up to date' : `Sent ${events} events`}; ${sink} is at seq ${cursor}`,
      ),
    );
  replicate
    .command('verify')
    .description('Verify that the sink matches this ledger')
    .action(() =>
      answerWith(
        run,
        (api, { interrupted }) => api.replication.verify(interrupted),
        showVerification,
        exitOfVerification,
      ),
    );
  replicate
    .command('follow')
    .description('Send new events until interrupted')
    .action(() =>
      run(async (context) => {
        const { printer } = context;
        const total = { events: 0 };
        await (await context.open()).replication.follow({
          signal: context.interrupted,
          onShipped: ({ events, cursor }) => {
            total.events += events;
            printer.message(`Sent ${events} events; the sink is at seq ${cursor}`);
          },
          onWarning: (what) => printer.notice(what, { code: 'replication.failed' }),
        });
        printer.answer(total, ({ events }) => `Sent ${events} events`);
      }),
    );
}

function showStatus(status: ReplicationStatus): string {
  if (!status.configured)
    return 'Replication is not configured. Add a sink under "replication" in config.json in your Oka folder';
  const { sink, head, cursor, reached, lag, shippedAt, lastError, worker, nextTryAt, workspace } = status;
  if (workspace === undefined) return `sink      ${sink}\ncursor    the ledger is empty`;
  const place = cursor === undefined ? 'unknown' : `seq ${cursor} of ${head}`;
  return [
    `sink      ${sink}`,
    `workspace ${workspace}`,
    `cursor    ${place}${reached ? '' : ' (last known; the sink is unreachable)'}`,
    ...(lag === undefined ? [] : [`lag       ${lag.events} events, ${showDuration(lag.ms)}`]),
    ...(shippedAt === undefined ? [] : [`shipped   ${showTime(shippedAt)}`]),
    ...(worker === undefined ? [] : [`worker    process ${worker.pid}`]),
    ...(nextTryAt === undefined ? [] : [`next try  ${showTime(nextTryAt)}`]),
    ...(lastError === undefined ? [] : [`error     ${showTime(lastError.at)} ${lastError.message}`]),
  ].join('\n');
}

function showVerification(answer: ReplicationVerifyAnswer): string {
  const { ok, sinkName, sink, behind, chainWalked, faults } = answer;
  const proof = chainWalked ? 'its chain is valid' : 'counts and heads are equal';
  return [
    ok ? `verified: ${sinkName} has ${sink.events ?? sink.seq} events; ${proof}` : `${faults.length} faults`,
    ...faults.map(({ where, what }) => `✗ ${where}: ${what}`),
    ...(behind === 0 ? [] : [`${behind} events are pending. Send them with: oka replicate once`]),
    `head      ${sink.seq} ${sink.hash}`,
  ].join('\n');
}
