// The ledger's care: verified, repaired, backed up, restored, and cleared of what is old.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';
import type { Found, MaintenanceAnswer, RepairAnswer, VerifyAnswer } from '../../../src/api/index.ts';
import { DATABASE, damageBlob, expectSound, json } from '../../cli/repair-kit.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { type Area, succeed } from './area.ts';

export function ledgerArea({ open }: Area): void {
  test('memory compares meanings by the word vectors of the package', async () => {
    const workspace = await open();
    await succeed(workspace, 'memory', 'fact', 'add', 'the horse was bought in Bern');
    const { data } = await workspace.answer<Found>('memory', 'retrieve', 'which pony from Bern');
    expect(data).toMatchObject({ degraded: false });
    expect(data.hits[0]?.why.vector).toBeGreaterThan(0);
  });

  test('a workspace is backed up, damaged, repaired from the backup, and restored elsewhere', async () => {
    const workspace = await open();
    await succeed(workspace, 'do', 'write a brief of this folder to BRIEF.md');
    const [copy, restored] = [join(tempFolder(), 'copy.tar.gz'), join(tempFolder(), 'restored')];
    await succeed(workspace, 'backup', 'create', copy);
    await succeed(workspace, 'backup', 'verify', copy);
    damageBlob(workspace);
    damageEvent(workspace.at(DATABASE));
    expect((await json<VerifyAnswer>(workspace, 'ledger', 'verify', '--full')).exitCode).toBe(7);
    const repair = ['ledger', 'repair', '--backup', copy];
    expect(await json<RepairAnswer>(workspace, ...repair)).toMatchObject({ exitCode: 0, data: { ok: true } });
    await expectSound(workspace);
    await succeed(workspace, 'backup', 'restore', copy, '--to', restored);
    expect(existsSync(join(restored, '.oka', 'oka.db'))).toBe(true);
    await succeed(workspace, '-C', restored, 'ledger', 'verify', '--full');
  });

  test('a run is exported as a file with its verifier', async () => {
    const workspace = await open();
    await succeed(workspace, 'do', 'write a brief of this folder to BRIEF.md');
    await succeed(workspace, 'runs', 'export', 'last', '--out', 'run.html');
    expect(workspace.text('run.html')).toMatch(/<script>"use strict";.+oka-data/s);
  });

  test('the tables and the database are made again from the events', async () => {
    const workspace = await open();
    await succeed(workspace, 'memory', 'fact', 'add', 'the beds are dug in March');
    await succeed(workspace, 'ledger', 'rebuild');
    await succeed(workspace, 'ledger', 'rebuild', '--from', 'mirror');
    expect(await succeed(workspace, 'memory', 'fact', 'list')).toContain('dug in March');
    await expectSound(workspace);
  });

  test('maintenance applies retention, and gc removes what is old', async () => {
    const workspace = await open({ config: { retention: { runs: '1h' } } });
    await succeed(workspace, 'do', 'write a brief of this folder to BRIEF.md');
    await succeed(workspace, 'maintain', '--dry-run');
    const { data } = await workspace.answer<MaintenanceAnswer>('maintain');
    // Nothing is an hour old yet.
    expect(data.report?.retention).toMatchObject({ archivedRuns: 0 });
    await succeed(workspace, 'ledger', 'gc', '--archive-days', '0');
    expect(await succeed(workspace, 'runs', 'list')).toContain('No runs');
    await expectSound(workspace);
  });
}

/** Changes the stored body of an event behind the back of the ledger. */
function damageEvent(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(`UPDATE events SET body = '{"text":"forged"}' WHERE body IS NOT NULL AND seq < 10`);
  database.close();
}
