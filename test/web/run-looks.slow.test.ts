import { describe, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { SMALL_PROJECT } from '../cli/oka-process.ts';
import { graphOf, tool } from '../support/sample-graphs.ts';
import { hasBrowser, useApp } from './browser.ts';

const READ = {
  ...graphOf(
    'Read',
    tool('read', 'end', { args: { path: '{{input.path}}' }, timeout_seconds: 9, max_retries: 0 }),
  ),
  id: 'read-one',
};
const MAP = {
  node_id: 'each',
  type: 'map',
  items: '{{input}}',
  graph: 'read-one',
  max_items: 9,
  next: 'end',
};
const MANY = { ...graphOf('Many', MAP), id: 'many' };

describe.skipIf(!hasBrowser)('every view of a run, in both themes and widths', () => {
  const app = useApp({
    files: {
      ...SMALL_PROJECT,
      '.oka/graphs/read-one.json': JSON.stringify(READ),
      '.oka/graphs/many.json': JSON.stringify(MANY),
    },
  });
  const graph = async (name: string, input: unknown): Promise<string> =>
    (await app.request<RunAnswer>('POST', `/v1/graphs/${name}/run`, { input })).run.id;

  test.for(['timeline', 'graph', 'story', 'events'])('the tab %s of a tree of runs', async (tab) => {
    const id = await graph('many', [{ path: 'README.md' }, { path: 'src/beds.ts' }]);
    const page = await app.open(`/runs/${id}?tab=${tab}`);
    await page.getByText('Completed').first().waitFor();
    await page.getByRole('tabpanel').waitFor();
    await app.check(page, `run-${tab}`);
  });

  test('a failed step', async () => {
    const id = await graph('read-one', { path: 'gone.md' });
    const page = await app.open(`/runs/${id}?step=1`);
    await page.getByText('files.not_found').first().waitFor();
    await app.check(page, 'run-failed');
  });

  test('an earlier moment, and the dialogs', async () => {
    const id = (
      await app.request<RunAnswer>('POST', '/v1/runs', { goal: 'write a brief of this folder to LOOK.md' })
    ).run.id;
    const page = await app.open(`/runs/${id}`);
    await page.getByText('finish', { exact: true }).first().waitFor();
    for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowLeft');
    await page.getByText(/^as of/).waitFor();
    await app.check(page, 'run-then');
    await page.getByRole('button', { name: 'Fork from here…' }).click();
    await page.getByLabel('Variables (JSON)').waitFor();
    await app.check(page, 'run-fork');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Replay…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await page.getByText(/^Equal/).waitFor();
    await app.check(page, 'run-replay');
  });
});
