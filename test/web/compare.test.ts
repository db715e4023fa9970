import { describe, expect, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { hasBrowser, useApp } from './browser.ts';

const NASTY = '<img src=x onerror=alert(1)></script>';

describe.skipIf(!hasBrowser)('the comparison of two runs', () => {
  const app = useApp({ files: { 'README.md': `# Garden\n\n${NASTY}\n` } });
  const give = async (goal: string): Promise<string> => (await app.oka<RunAnswer>('do', goal)).run.id;

  test('aligns steps, marks the first difference, and moves with n and p', async () => {
    const left = await give('write a brief of this folder to ONE.md');
    const right = await give('write a brief of this folder to TWO.md');
    const page = await app.open(`/runs/${left}/compare/${right}`);
    await page.getByText('First difference').waitFor();
    await page.getByRole('rowheader', { name: 'Steps' }).waitFor();
    const open = page.locator('[aria-expanded=true]');
    await page.keyboard.press('n');
    await page.waitForURL(/\?at=\d+$/);
    const first = page.url();
    expect(await open.innerText()).toContain('First difference');
    await page.keyboard.press('n');
    await page.waitForURL((url) => url.href !== first);
    expect(await open.innerText()).not.toContain('First difference');
    await page.keyboard.press('p');
    await page.waitForURL(first);
    await app.check(page, 'compare');
    // The address keeps the selected step.
    await page.reload();
    await open.waitFor();
    expect(await open.innerText()).toContain('First difference');
  });

  test('shows only differences on request, and swaps the sides', async () => {
    const left = await give('write a brief of this folder to LEFT.md');
    const right = await give('list the files in this folder');
    const page = await app.open(`/runs/${left}/compare/${right}`);
    const rows = page.locator('.compare-pair');
    await rows.first().waitFor();
    await page.getByText('Only differences').click();
    await page.waitForURL('**?only=differences');
    for (const text of await page.locator('.compare-mark').allInnerTexts())
      expect(text).not.toContain('Same');
    await page.getByText('Only in A').first().waitFor();
    await page.getByRole('button', { name: 'Swap' }).click();
    await page.waitForURL(`**/runs/${right}/compare/${left}`);
    await page.getByText('Only in B').first().waitFor();
  });

  test('offers forks of the run first, then runs of the same goal', async () => {
    const goal = 'write a brief of this folder to PICK.md';
    const origin = await give(goal);
    const again = await give(goal);
    await give('list the files in this folder');
    const { run: fork } = await app.oka<RunAnswer>('runs', 'fork', origin, '--step', '3');
    const page = await app.open(`/runs/${origin}/compare/${again}`);
    await page.getByRole('button', { name: 'Other run…' }).click();
    const choices = page.getByRole('dialog').locator('.compare-candidate');
    await choices.filter({ hasText: 'Forked from this run' }).waitFor();
    expect(await choices.nth(0).innerText()).toContain(fork.id.slice(-6));
    expect(await choices.nth(1).innerText()).toContain('Same goal');
    await choices.nth(0).click();
    await page.waitForURL(`**/runs/${origin}/compare/${fork.id}`);
    await page.getByText(`at step 3`).waitFor();
  });

  test('says that a run does not exist, and shows markup as text', async () => {
    const goal = `write a brief of this folder to X.md ${NASTY}`;
    const odd = await give(goal).catch(() => give('write a brief of this folder to X.md'));
    const page = await app.open(`/runs/${odd}/compare/${odd}`);
    await page.getByText('0 differences').waitFor();
    await page.locator('.compare-line').nth(2).click();
    expect(await page.locator('img').count()).toBe(0);
    const missing = await app.open(`/runs/${odd}/compare/nosuchrun`, { allow: /404/ });
    await missing.getByRole('alert').getByText('engine.unknown_run').waitFor();
  });
});
