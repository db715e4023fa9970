import { afterAll, expect, it, onTestFinished } from 'vitest';
import type { DaemonStatus } from '../../src/api/index.ts';
import { type Finished, Workspace } from '../cli/oka-process.ts';
import { findPostgres, TestPostgres } from '../support/postgres.ts';
import { describeWithPostgres } from './describe-with-postgres.ts';

const server = findPostgres() === undefined ? undefined : await TestPostgres.create();
afterAll(() => server?.remove());

const env = { OKA_LEDGER_URL: server?.url, OKA_EXECUTION_BACKEND: '', OKA_RESTATE_INGRESS: '' };

const oka = (workspace: Workspace, ...args: readonly string[]): Promise<Finished> =>
  workspace.startIn(workspace.root, env, ...args).ended;

async function json<T>(workspace: Workspace, ...args: readonly string[]): Promise<T> {
  return JSON.parse((await oka(workspace, ...args, '--json')).stdout) as T;
}

describeWithPostgres('a PostgreSQL server that goes away', () => {
  it('leaves what this machine knew to reading commands, which tell its age', async () => {
    const workspace = Workspace.trusted();
    await oka(workspace, 'memory', 'fact', 'add', 'the gate is green');
    await oka(workspace, 'memory', 'fact', 'search', 'gate');
    await server?.stop();
    onTestFinished(() => server?.start());
    for (const [command, data] of [
      [['memory', 'fact', 'list'], { facts: [{ text: 'the gate is green' }] }],
      [['memory', 'fact', 'search', 'gate'], {}],
      [['runs', 'list'], { runs: [] }],
      [['status'], { running: 0 }],
    ] as const)
      expect(await json(workspace, ...command)).toMatchObject({
        ok: true,
        data,
        warnings: expect.arrayContaining([
          {
            code: 'ledger.incomplete',
            message: expect.stringMatching(/not reachable.* was known \d+ \w+ ago\.$/),
          },
        ]),
      });
    const refused = await json(workspace, 'runs', 'show', 'fffff');
    expect(refused).toMatchObject({ ok: false, error: { code: 'ledger.unavailable' } });
  });

  it('is no problem of the daemon any more when it answers again', async () => {
    const workspace = Workspace.trusted();
    await oka(workspace, 'up');
    onTestFinished(async () => void (await oka(workspace, 'down')));
    const problems = async (): Promise<string> => {
      const { data } = await json<{ data: { daemon: DaemonStatus } }>(workspace, 'status');
      const { workers, warnings } = data.daemon;
      const failing = workers.flatMap(({ status, lastError }) =>
        status === 'failing' ? [lastError?.message] : [],
      );
      return [...failing, ...warnings.map(({ message }) => message)].join('\n');
    };
    await oka(workspace, 'memory', 'fact', 'add', 'the gate is green');
    await oka(workspace, 'memory', 'fact', 'search', 'gate');
    expect(await problems()).toBe('');
    await server?.stop();
    await expect.poll(problems, { timeout: 60_000 }).toMatch(/not reachable/);
    await server?.start();
    await expect.poll(problems, { timeout: 60_000 }).toBe('');
  });
});
