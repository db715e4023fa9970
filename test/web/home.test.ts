import { describe, expect, test } from 'vitest';
import { BRIEF } from '../cli/oka-process.ts';
import { hasBrowser, useApp } from './browser.ts';

describe.skipIf(!hasBrowser)('Home', () => {
  const app = useApp();

  test('gives a goal, shows the run until it ends, and links to it', async () => {
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

  test('says what is wrong with a goal that the daemon refuses', async () => {
    const page = await app.open('/', { allow: /Failed to load resource/ });
    await page.getByRole('textbox', { name: 'Goal' }).fill('x'.repeat(1_100_000));
    await page.getByRole('button', { name: 'Start' }).click();
    await page.locator('.toast-error').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('.toast').count()).toBe(0);
  });

  test('teaches the first goal where nothing has run', async () => {
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
