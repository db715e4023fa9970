import { describe, expect, test } from 'vitest';
import { hasBrowser, useApp } from './browser.ts';

const XSS = '<img src=x onerror="document.title=1">';

const GRAPH = {
  id: 'tick',
  name: `Tick ${XSS}`,
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 30, max_retries: 1 },
  nodes: [
    { node_id: 'start', type: 'start', next: 'list' },
    { node_id: 'list', type: 'tool', tool: 'files.list', args: { path: '.' }, next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
};

interface Schedule {
  readonly id: string;
}

describe.skipIf(!hasBrowser)('Schedules', () => {
  const app = useApp({ files: { '.oka/graphs/tick.json': JSON.stringify(GRAPH) } });
  const add = (cron: string, input?: unknown): Promise<Schedule> =>
    app.request('POST', '/v1/schedules', { graph: 'tick', cron, ...(input === undefined ? {} : { input }) });

  test('adds a schedule from a form with a preview, runs it now, and switches it off', async () => {
    const page = await app.open('/schedules?add=tick', { allow: /Failed to load resource/ });
    const dialog = page.getByRole('dialog');
    const preview = dialog.getByRole('region', { name: 'Next firings' });
    const option = dialog.locator('option').filter({ hasText: `Tick ${XSS} (tick)` });
    await option.waitFor({ state: 'attached' });
    await preview
      .getByText(/ 07:00/)
      .first()
      .waitFor();
    await dialog.getByRole('combobox', { name: 'When' }).selectOption('Cron expression');
    await dialog.getByRole('textbox', { name: 'Expression' }).fill('0 9 31 2 *');
    await preview.getByText('Check that the day of the month exists', { exact: false }).waitFor();
    await dialog.getByRole('textbox', { name: 'Expression' }).fill('30 6 * * *');
    await dialog.getByRole('combobox', { name: 'Time zone' }).fill('UTC');
    await preview.getByRole('listitem').first().waitFor();
    expect(await preview.getByRole('listitem').count()).toBe(6);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();

    const row = page
      .getByRole('list', { name: 'Schedules' })
      .getByRole('listitem')
      .filter({ hasText: '30 6 * * *' });
    await row.getByRole('button', { name: /^Run now/ }).click();
    const panel = page.getByRole('region', { name: 'Schedule' });
    const run = panel.getByRole('list', { name: 'Runs and misses' }).getByRole('link', { name: /^Run / });
    await run.waitFor();
    expect(await run.getAttribute('href')).toMatch(/^\/runs\/\w{26}$/);
    await row.getByRole('button', { name: /^Switch off/ }).click();
    await row.getByText('Off', { exact: true }).waitFor();
    await app.check(page, 'schedules');
  });

  test('shows the next firings as an agenda and as a month', async () => {
    const { id } = await add('0 */6 * * *');
    const page = await app.open('/schedules?tab=agenda');
    await page.getByRole('heading', { name: 'Tomorrow' }).waitFor();
    await page.getByText(id, { exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'Month' }).click();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    const day = page.getByRole('button', { name: /-15: \d+ firings/ });
    await day.click();
    expect(await day.textContent()).toContain('4 ×');
  });

  test('shows missed firings and the reason', async () => {
    const { id } = await add('0 0 2 1 *');
    const [schedule] = (await app.request<Schedule[]>('GET', '/v1/schedules')).filter((one) => one.id === id);
    const at = Date.now() - 3_600_000;
    const failure = { code: 'graph.invalid', message: `the graph ${XSS} is not valid` };
    const lastSkipped = { plannedAt: at, until: at, count: 3, why: 'failed', decidedAt: at, failure };
    const page = await app.open('/memory');
    // A miss takes a day that nothing ran schedules; this one is made up.
    await page.route('**/v1/schedules', (route) => route.fulfill({ json: [{ ...schedule, lastSkipped }] }));
    await page.goto(`${app.origin}/schedules`);
    const missed = page.getByRole('list', { name: 'Missed' });
    await missed.getByText('3 planned times').waitFor();
    expect(await missed.textContent()).toContain(`The run could not start – ${failure.message}`);
    await missed.getByRole('button').click();
    await page.getByRole('region', { name: 'Schedule' }).getByText('It has not fired yet.').waitFor();
  });

  test('deletes a schedule after a confirmation', async () => {
    const { id } = await add('0 0 1 1 *', { note: XSS });
    const page = await app.open(`/schedules?schedule=${id}`);
    const panel = page.getByRole('region', { name: 'Schedule' });
    await panel.getByText(JSON.stringify(XSS)).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await panel.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`${id} is deleted.`).waitFor();
    await page.getByRole('button', { name: `Run now ${id}` }).waitFor({ state: 'detached' });
  });
});
