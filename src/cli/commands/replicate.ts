import type { Command } from 'commander';
import type { ReplicationStatus, ReplicationVerifyAnswer } from '../../api/index.ts';
import { EXIT } from '../exit-codes.ts';
import { showTime } from '../format.ts';
import type { Run } from '../run.ts';

export function replicateCommand(program: Command, run: Run): void {
  const replicate = program
    .command('replicate')
    .description('a copy of the ledger and the memory in PostgreSQL or behind an HTTP endpoint')
    .addHelpText(
      'after',
      '\nExamples:\n  oka replicate status\n  oka replicate once\n  oka replicate verify\n  oka replicate follow        until it is interrupted\n\nThe sink is named under "replication" in the config.json of your own Oka folder.',
    );
  replicate
    .command('status')
    .description('where the sink is, how far behind, and what went wrong last')
    .action(() =>
      run(async (context) => {
        context.printer.answer(await (await context.open()).replication.status(), showStatus);
        return EXIT.ok;
      }),
    );
  replicate
    .command('once')
    .description('send all there is now')
    .action(() =>
      run(async (context) => {
        const shipped = await (await context.open()).replication.once(context.interrupted);
        context.printer.answer(
          shipped,
          ({ sink, events, cursor }) =>
            `${events === 0 ? 'nothing was missing' : `${events} events sent`}; ${sink} is at seq ${cursor}`,
        );
        return EXIT.ok;
      }),
    );
  replicate
    .command('verify')
    .description('prove that the sink has what this ledger has')
    .action(() =>
      run(async (context) => {
        const answer = await (await context.open()).replication.verify(context.interrupted);
        context.printer.answer(answer, showVerification);
        return answer.ok ? EXIT.ok : EXIT.integrity;
      }),
    );
  replicate
    .command('follow')
    .description('send what comes, until it is interrupted')
    .action(() =>
      run(async (context) => {
        const { printer } = context;
        const total = { events: 0 };
        await (await context.open()).replication.follow({
          signal: context.interrupted,
          onShipped: ({ events, cursor }) => {
            total.events += events;
            printer.message(`${events} events sent; the sink is at seq ${cursor}`);
          },
          onTrouble: (what) => printer.message(`${printer.colors.yellow('trouble')} ${what}`),
        });
        printer.answer(total, ({ events }) => `${events} events sent`);
        return EXIT.ok;
      }),
    );
}

function showStatus(status: ReplicationStatus): string {
  if (!status.configured)
    return 'replication is not set up; name a sink under "replication" in the config.json of your own Oka folder';
  const { sink, head, cursor, reached, lag, shippedAt, lastError, worker, nextTryAt, workspace } = status;
  if (workspace === undefined)
    return `sink      ${sink}\ncursor    the ledger is empty; there is nothing to send yet`;
  const place = cursor === undefined ? 'not known' : `seq ${cursor} of ${head}`;
  return [
    `sink      ${sink}`,
    `workspace ${workspace}`,
    `cursor    ${place}${reached ? '' : ', as last known: the sink was not reached'}`,
    ...(lag === undefined ? [] : [`lag       ${lag.events} events, ${showSpan(lag.ms)}`]),
    ...(shippedAt === undefined ? [] : [`shipped   ${showTime(shippedAt)}`]),
    ...(worker === undefined ? [] : [`worker    process ${worker.pid}`]),
    ...(nextTryAt === undefined ? [] : [`next try  ${showTime(nextTryAt)}`]),
    ...(lastError === undefined ? [] : [`error     ${showTime(lastError.at)} ${lastError.message}`]),
  ].join('\n');
}

function showSpan(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

function showVerification(answer: ReplicationVerifyAnswer): string {
  const { ok, sinkName, sink, behind, chainWalked, faults } = answer;
  const proof = chainWalked ? 'the chain of its own data holds' : 'counts and heads are equal';
  return [
    ok ? `verified: ${sinkName} has ${sink.events ?? sink.seq} events; ${proof}` : `${faults.length} faults`,
    ...faults.map(({ where, what }) => `✗ ${where}: ${what}`),
    ...(behind === 0 ? [] : [`${behind} events are not there yet; send them with: oka replicate once`]),
    `head      ${sink.seq} ${sink.hash}`,
  ].join('\n');
}
