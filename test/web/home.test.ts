import { describe, expect, test } from 'vitest';
import { BRIEF } from '../cli/oka-process.ts';
import { parkBeforeWriting } from '../cli/park-runs.ts';
import { hasBrowser, useApp } from './browser.ts';

describe.skipIf(!hasBrowser)('Home', () => {
  const app = useApp({
    prepare: async (workspace) =>
      void (await parkBeforeWriting(workspace, 'write a brief of this folder to ASKED.md')),
  });

  test('shows first what waits for the person, with a link to the request', async () => {
    const page = await app.open('/');
    const waiting = page.getByRole('region', { name: 'Waiting for you' });
    await waiting.getByText('ASKED.md').first().waitFor();
    const href = (await waiting.getByRole('link', { name: 'Review' }).getAttribute('href')) ?? '';
    expect(href).toMatch(/^\/approvals\?selected=/);
    await app.check(page, 'home-waiting');
  });

  test('starts a goal, shows its run until it ends, and links to it', async () => {
    const page = await app.open('/');
    await page.getByRole('textbox', { name: 'Goal' }).fill(BRIEF);
    await page.getByRole('button', { name: 'Start' }).click();
    const started = page.getByRole('region', { name: 'Started here' });
    await started.getByText('Completed').waitFor({ state: 'attached' });
    expect(await started.getByRole('link').first().getAttribute('href')).toMatch(/^\/runs\/\w{26}$/);
    expect(app.workspace.text('BRIEF.md')).toMatch(/^# Brief of Garden\n/);
    await app.check(page, 'home');
  });

  test('shows markup in a goal as text', async () => {
    const goal = '<img src=x onerror="document.title=1"> <script>alert(1)</script> list files';
    const page = await app.open('/');
    await page.getByRole('textbox', { name: 'Goal' }).fill(goal);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText(goal).first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  test('shows the error of a goal that the daemon rejects', async () => {
    const page = await app.open('/', { allow: /Failed to load resource/ });
    const problem = {
      code: 'daemon.busy',
      title: 'Busy',
      detail: 'Too many runs.',
      next: 'Cancel one first.',
    };
    await page.route('**/v1/runs', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    );
    await page.getByRole('textbox', { name: 'Goal' }).fill('list files');
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.toast-error').getByText('Cancel one first.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('.toast').count()).toBe(0);
  });

  test('suggests a first goal if nothing has run', async () => {
    const page = await app.open('/');
    // The other tests of this file start runs, so this page gets the answer of a new workspace.
    await page.route('**/v1/runs?*', (route) => route.fulfill({ json: { items: [] } }));
    await page.reload();
    await page.getByText('Nothing has run here yet').waitFor();
    await page.getByRole('button', { name: BRIEF }).click();
    expect(await page.getByRole('textbox', { name: 'Goal' }).inputValue()).toBe(BRIEF);
    await app.check(page, 'home-empty');
  });
});
