import { describe, expect, test } from 'vitest';
import { hasBrowser, useApp } from './browser.ts';

describe.skipIf(!hasBrowser)('the frame of the app', () => {
  const app = useApp();

  test('the palette opens by keyboard, finds a page, and gives the focus back', async () => {
    const page = await app.open('/');
    await page.getByRole('textbox', { name: 'Goal' }).focus();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog').getByRole('combobox');
    await search.waitFor();
    await app.check(page, 'palette');
    await page.keyboard.press('Escape');
    await search.waitFor({ state: 'detached' });
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Goal');

    await page.keyboard.press('Control+k');
    await search.fill('runs');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/runs');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
  });

  test('the palette runs an action of the page, and a theme that is chosen stays', async () => {
    const page = await app.open('/runs');
    await page.getByRole('button', { name: 'Search or run a command' }).click();
    await page.getByRole('option', { name: 'Show runs: failed' }).click();
    await page.waitForURL('**/runs?status=failed');
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Use the dark theme' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });

  test('a browser without a session is told to run oka web', async () => {
    const page = await app.open('/runs', { signedOut: true, allow: /status of 401/ });
    await page.getByText('This browser is not signed in').waitFor();
    await page.getByText('oka web').first().waitFor();
    await app.check(page, 'expired');
  });

  test('an open page notices that its session has ended', async () => {
    const page = await app.open('/', { allow: /status of 401/ });
    await page.getByRole('textbox', { name: 'Goal' }).fill('list files');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('This browser is not signed in').waitFor();
  });

  test('an unknown address is a page that leads back', async () => {
    const page = await app.open('/nowhere');
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.getByRole('textbox', { name: 'Goal' }).waitFor();
  });

  test('the menu opens over the page on a narrow screen and closes with a choice', async () => {
    const page = await app.open('/', { width: 390 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.waitForURL('**/runs');
    await page.getByRole('navigation').waitFor({ state: 'hidden' });
  });

  test('an interrupted stream is shown and ends when it is back', async () => {
    const page = await app.open('/', { allow: /Failed to load resource|ERR_|EventSource/ });
    await page.getByRole('textbox', { name: 'Goal' }).waitFor();
    await page.context().setOffline(true);
    await page.route('**/v1/events*', (route) => route.abort());
    await page.reload().catch(() => undefined);
    await page.context().setOffline(false);
    await page.reload();
    await page.getByText('Reconnecting…').waitFor();
    await page.unroute('**/v1/events*');
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' });
  });
});
