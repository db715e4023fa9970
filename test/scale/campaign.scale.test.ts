// Three workers, three nodes of Restate and PostgreSQL, each on a host of its own. While 1,000 runs are under way, one after the
// other is lost: a worker, a node of Restate, PostgreSQL, and the network of a worker.
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningTopology, startTopology } from '../../deploy/topology.mjs';
import { isOkaError } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { policyOf } from '../policy/good-policies.ts';
import { findPostgres } from '../support/postgres.ts';
import { missingRestate } from '../support/restate.ts';
import { fiveNodes } from './five-nodes.ts';

/** Beside the exhaustive suite it takes a multiple of the four minutes that it takes alone. */
const MAX_CAMPAIGN_MS = 1_800_000;
const RUNS = Number(process.env['OKA_CAMPAIGN_RUNS'] ?? 1_000);
const AT_ONCE = 60;
const CUT_MS = Number(process.env['OKA_CAMPAIGN_CUT_MS'] ?? 60_000);
const COUNTER_PORT = 8081;

/** Counts requests by writing their paths to a file, and answers when that is done. */
const COUNTER = `const [address, file] = process.argv.slice(1);
require('node:http').createServer((request, response) => {
  require('node:fs').appendFileSync(file, request.method + ' ' + request.url + '\\n');
  response.end('done');
}).listen(${COUNTER_PORT}, address, () => console.log('counts'));`;

const missing = findPostgres() === undefined ? 'there is no PostgreSQL' : missingRestate();
if (missing !== undefined) process.stderr.write(`Skipped the campaign: ${missing}.\n`);

describe.skipIf(missing !== undefined)(
  `a campaign of failures${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oka-campaign-')));
    const effects = join(folder, 'effects');
    const before = { ...process.env };
    let topology: RunningTopology;
    let oka: Oka;

    beforeAll(async () => {
      writeFileSync(effects, '');
      // PostgreSQL runs as another user and has to reach its data.
      chmodSync(folder, 0o711);
      mkdirSync(join(folder, 'hosts'));
      topology = await startTopology({
        folder: join(folder, 'hosts'),
        restate: 3,
        workers: 3,
        daemon: false,
      });
      const { hosts, workspace, home, environment } = topology;
      const address = hosts.addHost('counter');
      await hosts.start('counter', {
        host: 'counter',
        command: process.execPath,
        args: ['-e', COUNTER, address, effects],
        ready: async (said) => {
          if (!said.includes('counts')) throw new Error('the counter has not started');
        },
      });
      writeFileSync(
        join(home, 'config.json'),
        JSON.stringify({
          allow_private: [`${address}:${COUNTER_PORT}`],
          allow_hosts: [`${address}:${COUNTER_PORT}`],
        }),
      );
      writeFileSync(join(home, 'POLICY.md'), policyOf('| `http.fetch` | allow | a test |'));
      writeFileSync(
        join(workspace, '.oka', 'graphs', 'five.json'),
        JSON.stringify(fiveNodes(`http://${address}:${COUNTER_PORT}`)),
      );
      // Workers read configuration, policy and graphs when they start.
      // Workers of one project have the same policy, so none may be left that has the earlier one.
      const workers = ['worker-1', 'worker-2', 'worker-3'];
      for (const name of workers) await hosts.kill(name, 'SIGTERM');
      for (const name of workers) await hosts.restart(name);
      Object.assign(process.env, environment);
      oka = new Oka({ workspace, home });
    });

    afterAll(async () => {
      await oka?.close();
      await topology?.stop();
      for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });

    const counted = (): readonly string[] => readFileSync(effects, 'utf8').split('\n').filter(Boolean);
    const puts = (): readonly string[] => counted().filter((line) => line.startsWith('PUT'));

    async function untilPuts(share: number): Promise<void> {
      while (puts().length < RUNS * share) await sleep(100);
    }

    /** The table of the documentation: what was lost, and how many effects had happened by then. */
    const outcomes: string[] = [];
    const note = (what: string): void => {
      outcomes.push(`${what} after ${puts().length} effects`);
    };

    async function loseOneAfterTheOther(): Promise<void> {
      const { hosts } = topology;
      await untilPuts(0.1);
      note('kill -9 of worker-1');
      await hosts.kill('worker-1', 'SIGKILL');
      await hosts.restart('worker-1');
      await untilPuts(0.3);
      note('kill -9 of restate-2');
      await hosts.kill('restate-2', 'SIGKILL');
      await sleep(2_000);
      await hosts.restart('restate-2');
      await untilPuts(0.5);
      note('restart of PostgreSQL');
      await hosts.kill('postgres', 'SIGINT');
      await sleep(2_000);
      await hosts.restart('postgres');
      await untilPuts(0.7);
      if (hosts.network.kind !== 'namespaces') {
        outcomes.push(`no network cut: ${hosts.network.reason}`);
        return;
      }
      note('network cut of worker-3 for a minute');
      hosts.cut('worker-3');
      await sleep(CUT_MS);
      hosts.heal('worker-3');
    }

    /** Approves a request, or says as a person who looks at the counter what became of one whose outcome Oka does not know. */
    async function answer(approval: { readonly id: string; readonly kind: string }): Promise<void> {
      const path = /\/effect\/\d+/.exec(JSON.stringify(approval))?.[0];
      const happened = puts().some((line) => line === `PUT ${path}`);
      const said = approval.kind === 'unknown_effect' ? { answer: happened ? 'done' : 'retry' } : {};
      await oka.approvals.approve({ id: approval.id, by: 'ann', ...said } as never, 0);
    }

    /** Starts a run and approves its request. */
    async function runOne(n: number): Promise<void> {
      const { run } = await oka.graphs.run({
        graph: 'five',
        input: { n },
        simulate: false,
        budgets: {},
      } as never);
      if (run.waitingFor?.what === 'approval')
        await oka.approvals.approve({ id: run.id, by: 'ann' } as never, 0);
    }

    async function openRuns(): Promise<number> {
      const statuses = ['pending', 'running', 'waiting'] as const;
      const found = await Promise.all(statuses.map((status) => oka.runs.list({ status, limit: 5 })));
      return found.flat().length;
    }

    it(`completes ${RUNS} runs, each effect once or asked about, and the ledger verifies`, {
      timeout: MAX_CAMPAIGN_MS,
    }, async () => {
      let next = 0;
      const start = async (): Promise<void> => {
        for (let i = next++; i < RUNS; i = next++)
          // The run is in the ledger, and continues when the cluster is back.
          await runOne(i).catch(ignorePassing);
      };
      await Promise.all([loseOneAfterTheOther(), ...Array.from({ length: AT_ONCE }, start)]);
      let unknown = 0;
      while ((await openRuns()) > 0) {
        for (const approval of await oka.approvals.list({ status: 'pending' })) {
          if (approval.kind === 'unknown_effect') unknown += 1;
          await answer(approval).catch(ignorePassing);
        }
        await sleep(500);
      }
      const completed = await oka.runs.list({ status: 'completed', limit: 10 * RUNS });
      const failed = await oka.runs.list({ status: 'failed', limit: 10 });
      for (const { id } of failed) outcomes.push(JSON.stringify((await oka.runs.show(id)).run.failure));
      outcomes.push(`${completed.length} runs completed, ${unknown} questions about unknown outcomes`);
      process.stdout.write(`${outcomes.join('\n')}\n`);
      if (process.env['OKA_CAMPAIGN_TABLE'])
        appendFileSync(process.env['OKA_CAMPAIGN_TABLE'], outcomes.join('\n'));
      expect(completed).toHaveLength(RUNS);
      expect([...puts()].sort()).toEqual([...new Set(puts())].sort());
      expect(new Set(puts()).size).toBe(RUNS);
      expect(await oka.ledger.verify({ full: true })).toMatchObject({ ok: true, faults: [] });
      expect(existsSync(effects)).toBe(true);
    });
  },
);

/** What passes when the cluster is back; another error ends the test. */
function ignorePassing(error: unknown): void {
  if (!isOkaError(error) || !error.transient) throw error;
}
