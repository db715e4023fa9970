import { expect, test } from 'vitest';
import type { MaintenanceAnswer } from '../../src/api/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { Workspace } from '../cli/oka-process.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';
import { DAY_MS, pursue } from './retained-workspace.ts';

test('oka maintain removes what is past its retention, and oka runs explain says so', async () => {
  const workspace = Workspace.trusted({ config: { retention: { runs: '90d' } } });
  const past = new Oka({
    workspace: workspace.root,
    home: workspace.home,
    clock: new ShiftedClock(-100 * DAY_MS),
  });
  const old = await pursue(past, 'read README.md');
  await past.close();
  const would = await workspace.oka('maintain', '--dry-run');
  expect(would.stdout).toMatch(
    /retention +1 runs would be archived, 0 episodes would be erased, .* would be freed/,
  );
  const { data } = await workspace.answer<MaintenanceAnswer>('maintain');
  expect(data.report?.retention).toMatchObject({ archivedRuns: 1, erasedEpisodes: 0 });
  const refused = await workspace.refusal('runs', 'explain', old);
  expect(refused).toMatchObject({ exitCode: 3, error: { code: 'engine.run_archived', data: { run: old } } });
  expect(refused.error.message).toMatch(/archived on \d{4}-\d{2}-\d{2} by the configured retention/);
  await workspace.verified();
  expect((await workspace.refusal('runs', 'resume', old)).error.code).toBe('engine.run_archived');
});
