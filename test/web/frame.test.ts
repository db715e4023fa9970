import { describe, expect, test } from 'vitest';
import { hasBrowser, useApp } from './browser.ts';

describe.skipIf(!hasBrowser)('the frame of the app', () => {
  const app = useApp();

  test('the palette opens by keyboard, finds a page, and returns the focus', async () => {
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

  test('the palette runs an action of the page, and a chosen theme survives a reload', async () => {
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

  test('tells a browser without a session to run oka web, whose link signs it in', async () => {
    const page = await app.open('/runs', { signedOut: true, allow: /status of 401/ });
    await page.getByText('This browser is not signed in').waitFor();
    await page.getByText('oka web').first().waitFor();
    await app.check(page, 'expired');
    await page.goto((await app.oka<{ url: string }>('web', '--no-open')).url);
    await page.getByRole('textbox', { name: 'Goal' }).waitFor();
  });

  test('an open page says that its session has ended', async () => {
    const page = await app.open('/', { apart: true, allow: /status of 401/ });
    await page.getByRole('textbox', { name: 'Goal' }).fill('list files');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByText('This browser is not signed in').waitFor();
  });

  test('an unknown address shows a link to Home', async () => {
    const page = await app.open('/nowhere');
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await page.getByRole('textbox', { name: 'Goal' }).waitFor();
  });

  test('the menu opens over the page on a narrow screen and closes on a click', async () => {
    const page = await app.open('/', { width: 390 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.waitForURL('**/runs');
    await page.getByRole('navigation').waitFor({ state: 'hidden' });
  });

  test('says that it reconnects until the stream is back', async () => {
    const page = await app.open('/runs');
    // A stream that ends at once. The browser opens it again by itself after the time that it names.
    const ended = { contentType: 'text/event-stream', body: 'retry: 200\n\n' };
    await page.route('**/v1/events*', (route) => route.fulfill(ended));
    await page.reload();
    await page.getByText('Reconnecting…').waitFor();
    await page.unroute('**/v1/events*');
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' });
  });
});
