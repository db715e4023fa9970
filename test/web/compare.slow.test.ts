import { describe, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { hasBrowser, useApp } from './browser.ts';

describe.skipIf(!hasBrowser)('the dialog that chooses a run to compare with', () => {
  const app = useApp();

  test('is accessible in both themes and widths', async () => {
    const goal = 'write a brief of this folder to PICK.md';
    const { run } = await app.oka<RunAnswer>('do', goal);
    const { run: again } = await app.oka<RunAnswer>('do', goal);
    const page = await app.open(`/runs/${run.id}/compare/${again.id}`);
    await page.getByRole('button', { name: 'Other run…' }).click();
    await page.getByText('Same goal').waitFor();
    await app.check(page, 'compare-picker');
  });
});
