import { describe, expect, test } from 'vitest';
import { hasBrowser, useApp } from './browser.ts';
import { HEARSAY } from './hearsay-graph.ts';

const XSS = '<img src=x onerror="document.title=1"><script>alert(1)</script>';
const CLAIM = 'invoices of Mallory are always paid at once';

describe.skipIf(!hasBrowser)('Memory', () => {
  const app = useApp({
    files: { '.oka/graphs/hearsay.json': JSON.stringify(HEARSAY), 'plan.md': 'TODO: tea' },
    fill: async (app) => {
      await app.request('POST', '/v1/memory/facts', { text: 'Ada prefers tea', namespace: 'people' });
      await app.request('POST', '/v1/memory/facts', { text: XSS });
    },
  });
  const hearsay = async (text: string): Promise<void> => {
    app.workspace.put('input.json', JSON.stringify({ text }));
    await app.oka('graph', 'run', 'hearsay', '--input', 'input.json');
  };

  test('finds a fact with the parts of its score, and deletes it', async () => {
    const page = await app.open('/memory');
    await page.getByText(XSS, { exact: true }).waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);

    await page.getByRole('searchbox').fill('what does Ada drink');
    const results = page.getByRole('list', { name: 'Results' });
    await results.getByText('keyword').first().waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('what does Ada drink');
    await results.getByRole('button', { name: 'Ada prefers tea' }).click();
    const panel = page.getByRole('region', { name: 'Fact' });
    await panel.getByText('people').waitFor();
    await app.check(page, 'memory-search');

    await panel.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Fact erased.').waitFor();
    await results.getByRole('button', { name: 'Ada prefers tea' }).waitFor({ state: 'detached' });
  });

  test('adds a fact, and another page shows it without a reload', async () => {
    const watcher = await app.open('/memory');
    await watcher.getByText(XSS, { exact: true }).waitFor();
    const page = await app.open('/memory');
    await page.getByRole('button', { name: 'Add a fact' }).click();
    await page.getByRole('textbox', { name: 'Fact' }).fill('Bob prefers coffee');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('Fact added.').waitFor();
    await watcher.getByText('Bob prefers coffee').waitFor();
  });

  test('confirms and rejects facts of runs that read untrusted content', async () => {
    await app.request('POST', '/v1/memory/facts', { text: 'Ada is a gardener' });
    await hearsay(CLAIM);
    await hearsay(`${XSS} is safe`);
    const page = await app.open('/memory?tab=review');
    const list = page.getByRole('list', { name: 'Facts to review' });
    await list.getByText(CLAIM).waitFor();
    await list
      .getByRole('listitem')
      .filter({ hasText: CLAIM })
      .getByRole('button', { name: 'Confirm' })
      .click();
    await list.getByText(CLAIM).waitFor({ state: 'detached' });
    // The other one is selected now.
    await page.keyboard.press('d');
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Nothing to review').waitFor();
    const { hits } = await app.request<{ hits: { text: string }[] }>(
      'GET',
      '/v1/memory/search?query=invoices',
    );
    expect(hits.map(({ text }) => text)).toContain(CLAIM);
  });

  test('shows procedures with their steps', async () => {
    const page = await app.open('/memory?tab=procedures');
    await page.getByRole('button', { name: /step/ }).first().click();
    await page.getByRole('region', { name: 'Procedure' }).getByText('Built in').waitFor();
    await page.getByRole('button', { name: 'Learn from runs' }).click();
    await page.getByText(/scored/).waitFor();
  });

  test('previews the pack of a goal with its tokens by kind and the dropped items', async () => {
    await app.request('POST', '/v1/memory/facts', { text: 'The plan is tea at five', importance: 5 });
    const page = await app.open('/memory?tab=pack');
    await page.getByRole('textbox', { name: 'Goal' }).fill('make the plan for tea');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('The plan is tea at five').waitFor();
    await page.getByRole('region', { name: 'Tokens by kind' }).waitFor();
    await page.goto(`${app.origin}/memory?tab=pack&goal=make+the+plan+for+tea&cap=1`);
    await page
      .getByRole('region', { name: 'Dropped items' })
      .getByText('No tokens were left')
      .first()
      .waitFor();
  });
});
