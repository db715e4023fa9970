import { expect, it, onTestFinished } from 'vitest';
import type { DaemonStatus } from '../../src/api/index.ts';
import type { Workspace } from '../cli/oka-process.ts';
import { kill } from '../support/kill.ts';
import { campaignWorkspace } from './campaign-workspace.ts';
import { envelopeOf, outputOf, runOka, type Step } from './run-oka.ts';
import { Writer } from './writer.ts';

/** Five of each erasure, with either kind of verification. */
const TIMES = 45;

it('ledger verify during writes reports no false damage, and the daemon keeps answering', async () => {
  const workspace = await campaignWorkspace();
  const { data } = JSON.parse(await outputOf(workspace, 'up', '--json')) as { data: { pid: number } };
  onTestFinished(() => kill(data.pid));
  const writer = new Writer(workspace, 'w1');
  writer.start();
  for (let time = 1; time <= TIMES; time++) {
    // At least one write is acknowledged between two verifications, and writes continue during each.
    await writer.writes(1);
    const [verified, status, erased] = await Promise.all([
      runOka(workspace, 'ledger', 'verify', ...(time % 2 === 0 ? [] : ['--full']), '--json'),
      runOka(workspace, 'status', '--json'),
      eraseSomething(workspace, writer, time),
    ]);
    expect(verified.exitCode, `${time}: ${verified.stdout}${verified.stderr}`).toBe(0);
    expect(status.exitCode, `${time}: ${status.stdout}${status.stderr}`).toBe(0);
    // A daemon that does not answer within the timeout of the command line is shown as none.
    const { daemon } = envelopeOf(status).data as { daemon: DaemonStatus | null };
    expect(daemon?.pid, `daemon at status ${time}`).toBe(data.pid);
    if (erased) expectErased(erased);
  }
  await writer.kill();
  expect(await runOka(workspace, 'ledger', 'verify', '--full', '--json')).toMatchObject({ exitCode: 0 });
});

/** A process that writes constantly may prevent others from rewriting the mirror, which archiving needs; they report that. */
function expectErased({ command, exitCode, stdout, stderr }: Step): void {
  const isRefused = command.includes('--archive-days') && /\(ledger\.busy\)/.test(stderr);
  expect(isRefused ? 0 : exitCode, `${command}: ${stdout}${stderr}`).toBe(0);
}

/** Every few times a fact, the content of ended runs, or whole runs are erased while the ledger is verified. */
function eraseSomething(workspace: Workspace, writer: Writer, time: number): Promise<Step> | undefined {
  switch (time % 9) {
    case 3: {
      const newest = writer.acknowledged.findLast(({ kind }) => kind === 'fact');
      return runOka(workspace, 'memory', 'fact', 'delete', newest?.id as string);
    }
    case 6:
      return runOka(workspace, 'ledger', 'gc', '--bodies-days', '0');
    case 0:
      return runOka(workspace, 'ledger', 'gc', '--archive-days', '0');
    default:
      return undefined;
  }
}
