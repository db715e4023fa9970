import { describe, expect, test } from 'vitest';
import { hasBrowser, useApp } from './browser.ts';

interface Started {
  readonly run: { readonly id: string };
}

describe.skipIf(!hasBrowser)('the page of a run', () => {
  const app = useApp();
  const start = async (goal: string): Promise<string> =>
    (await app.request<Started>('POST', '/v1/runs', { goal })).run.id;

  test('shows a run from its start to its end without a reload', async () => {
    const id = await start('write a brief of this folder to LIVE.md');
    const page = await app.open(`/runs/${id}`);
    await page.getByText('Completed').first().waitFor();
    await page
      .getByRole('button', { name: /LIVE\.md/ })
      .first()
      .waitFor();
    expect(await page.title()).toContain('LIVE.md');
    await app.check(page, 'run');
  });
});
