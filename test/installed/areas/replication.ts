// Every sink of replication, a ledger on PostgreSQL, and the drivers that they load.

import { expect, test } from 'vitest';
import { nextBatch, TestEndpoint } from '../../replication/test-endpoint.ts';
import { findPostgres, NO_POSTGRES, TestPostgres } from '../../support/postgres.ts';
import { startDaemon } from '../installed-oka.ts';
import { type Area, succeed } from './area.ts';

export function replicationArea({ open }: Area): void {
  test('the ledger is sent to an HTTP endpoint, by a command and by the daemon', async () => {
    const endpoint = await TestEndpoint.open();
    const workspace = await open({ userConfig: { replication: { http: { url: endpoint.url } } } });
    await succeed(workspace, 'memory', 'fact', 'add', 'The pump is green.');
    await succeed(workspace, 'replicate', 'once');
    expect(endpoint.batches.length).toBeGreaterThan(0);
    await succeed(workspace, 'replicate', 'verify');
    const shipped = nextBatch(endpoint);
    await startDaemon(workspace);
    await succeed(workspace, 'memory', 'fact', 'add', 'The shed is red.');
    await shipped;
  });

  test('the ledger is sent to PostgreSQL, by a command and by the daemon', async ({
    skip,
    onTestFinished,
  }) => {
    if (findPostgres() === undefined) return skip(NO_POSTGRES);
    const postgres = await TestPostgres.create();
    onTestFinished(() => postgres.remove());
    const workspace = await open({
      userConfig: { replication: { postgres: { url_env: 'OKA_POSTGRES' } } },
      env: { OKA_POSTGRES: postgres.url },
    });
    await succeed(workspace, 'memory', 'fact', 'add', 'The pump is green.');
    await succeed(workspace, 'replicate', 'once');
    await succeed(workspace, 'replicate', 'verify');
    await succeed(workspace, 'memory', 'fact', 'add', 'The shed is red.');
    await startDaemon(workspace);
    await expect
      .poll(async () => (await workspace.oka('replicate', 'verify')).exitCode, { timeout: 300_000 })
      .toBe(0);
  });

  test('the ledger is moved to PostgreSQL, used and verified there, and moved back', async ({
    skip,
    onTestFinished,
  }) => {
    if (findPostgres() === undefined) return skip(NO_POSTGRES);
    const postgres = await TestPostgres.create();
    onTestFinished(() => postgres.remove());
    const workspace = await open({});
    await succeed(workspace, 'memory', 'fact', 'add', 'The pump is green.');
    await succeed(workspace, 'ledger', 'copy', '--from', 'workspace', '--to', postgres.url);
    await succeed(workspace, 'config', 'set', 'ledger.url', postgres.url);
    await succeed(workspace, 'memory', 'fact', 'add', 'The shed is red.');
    const { stdout } = await workspace.oka('memory', 'fact', 'search', 'shed');
    expect(stdout).toContain('The shed is red.');
    await succeed(workspace, 'ledger', 'verify');
    await succeed(workspace, 'ledger', 'copy', '--from', postgres.url, '--to', 'workspace');
    await succeed(workspace, 'config', 'unset', 'ledger');
    await succeed(workspace, 'ledger', 'verify');
  });
}
