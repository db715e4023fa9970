import { describe, expect, test } from 'vitest';
import { hasBrowser, useApp } from './browser.ts';

interface Started {
  readonly run: { readonly id: string };
}

describe.skipIf(!hasBrowser)('Runs', () => {
  const app = useApp();
  const start = async (goal: string): Promise<string> =>
    (await app.request<Started>('POST', '/v1/runs', { goal })).run.id;

  test('shows a run that starts elsewhere, and its changes, without a reload', async () => {
    const page = await app.open('/runs');
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    const id = await start('write a brief of this folder to LIVE.md');
    const row = page.getByRole('listitem').filter({ hasText: 'LIVE.md' });
    await row.getByText('Completed').waitFor();
    expect(await row.getByRole('link').getAttribute('href')).toBe(`/runs/${id}`);
    await app.check(page, 'runs');
  });

  test('shows markup in a goal as text', async () => {
    await start('<img src=x onerror="document.title=1"> in the beds');
    const page = await app.open('/runs');
    await page.getByRole('listitem').filter({ hasText: 'onerror' }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
  });

  test('keeps a filter in the address', async () => {
    await start('write a brief of this folder to FILTER.md');
    const page = await app.open('/runs?text=FILTER.md&status=completed');
    await page.getByRole('listitem').filter({ hasText: 'FILTER.md' }).getByText('Completed').waitFor();
    await page.getByRole('button', { name: 'Failed' }).click();
    await page.waitForURL(/status=failed/);
    await page.getByText('No run matches the filter').waitFor();
    await page.reload();
    await page.getByText('No run matches the filter').waitFor();
    expect(await page.getByRole('button', { name: 'Failed' }).getAttribute('aria-pressed')).toBe('true');
  });

  test('a search finds a part of a goal', async () => {
    await start('write a brief of this folder to NEEDLE.md');
    const page = await app.open('/runs');
    await page.getByRole('searchbox', { name: 'Search goals' }).fill('needle');
    await page.waitForURL('**/runs?text=needle');
    await page.getByRole('listitem').filter({ hasText: 'NEEDLE.md' }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(1);
  });

  test('moves the selection with j and k, and opens a run with Enter', async () => {
    await start('write a brief of this folder to FIRST.md');
    const newest = await start('write a brief of this folder to SECOND.md');
    const page = await app.open('/runs?text=.md');
    await page.getByRole('listitem').filter({ hasText: 'SECOND.md' }).waitFor();
    const selected = page.locator('[role=listitem][data-selected=true]');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await selected.getAttribute('aria-posinset')).toBe('2');
    await page.keyboard.press('k');
    expect(await selected.getAttribute('aria-posinset')).toBe('1');
    const id = (await selected.getByRole('link').getAttribute('href')) ?? '';
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${id}`);
    expect(newest).toMatch(/^\w{26}$/);
  });
});
