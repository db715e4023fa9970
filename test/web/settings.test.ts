import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeProvider } from '../models/fake-provider.ts';
import { hasBrowser, useApp } from './browser.ts';

describe.skipIf(!hasBrowser)('Settings', () => {
  const app = useApp({});

  test('adds a model after a real call, tests it again, and rejects a wrong key', async () => {
    const { url, keys } = await fakeProvider({ key: 'right-key', models: ['model-1', 'model-2'] });
    const page = await app.open('/settings', { allow: /Failed to load resource/ });
    await page.getByText('No model yet').waitFor();
    await page.getByRole('button', { name: 'Add model' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Provider').selectOption('openai-compatible');
    await dialog.getByLabel('Address').fill(url);
    await dialog.getByLabel('API key').fill('wrong-key');
    await dialog.getByRole('button', { name: 'List models' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/rejected the API key/)
      .first()
      .waitFor();
    await dialog.getByLabel('API key').fill('right-key');
    await dialog.getByRole('button', { name: 'List models' }).click();
    await dialog.getByLabel(/Offered by the provider/).selectOption('model-2');
    await app.check(page, 'settings-add-model');
    await dialog.getByRole('button', { name: 'Test and add' }).click();
    await dialog.getByText('The key is in the vault.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: /model-2/ });
    await row.getByText('Default').waitFor();
    const before = keys.length;
    await row.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('heading', { name: /Test of/ }).waitFor();
    expect(keys.length).toBeGreaterThan(before);
    expect(new Set(keys)).toEqual(new Set(['right-key']));
    expect(await page.content()).not.toContain('right-key');
    await app.check(page, 'settings-models');
    await row.getByRole('button', { name: /More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No model yet').waitFor();
  });

  test('shows the decision of the policy about a call without making it', async () => {
    const page = await app.open('/settings?tab=policy');
    await page.getByLabel('Tool').fill('files.write');
    await page.getByLabel('Arguments as JSON').fill('{ "path": "x.md", "content": "<b>x</b>" ');
    await page.getByText('This is not valid JSON').waitFor();
    await page.getByLabel('Arguments as JSON').fill('{ "path": "x.md", "content": "<b>x</b>" }');
    await page.getByRole('button', { name: 'Ask the policy' }).click();
    await page.getByRole('region', { name: 'Decision' }).getByText('Allowed').first().waitFor();
    expect(existsSync(join(app.workspace.root, 'x.md'))).toBe(false);
    await app.check(page, 'settings-policy');
  });

  test('shows markup in the name of a tool as text', async () => {
    const page = await app.open('/settings?tab=policy', { allow: /Failed to load resource/ });
    await page.getByLabel('Tool').fill('<img src=x onerror="document.title=1">');
    await page.getByRole('button', { name: 'Ask the policy' }).click();
    await page.getByText('onerror').first().waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
  });

  test('verifies the ledger and writes a backup', async () => {
    const page = await app.open('/settings?tab=system');
    await page.getByRole('button', { name: 'Verify everything' }).click();
    await page.getByRole('region', { name: 'Verification' }).getByText('verified: ').waitFor();
    await page.getByRole('textbox', { name: 'File' }).fill('backup.tar');
    await page.getByRole('button', { name: 'Write backup' }).click();
    await page.getByText(/^Wrote/).waitFor();
    expect(existsSync(join(app.workspace.root, 'backup.tar'))).toBe(true);
    await app.check(page, 'settings-system');
  });

  test('shows trust, grants, credentials, agents, servers and metrics', async () => {
    const page = await app.open('/settings?tab=rights');
    await page.getByText('Nothing is remembered').waitFor();
    await page.getByText('The vault is empty').or(page.getByText('Active')).first().waitFor();
    await app.check(page, 'settings-rights');
    await page.getByRole('tab', { name: 'Agents' }).click();
    await page.getByRole('button', { name: 'Create agent' }).click();
    await page.getByLabel('Name').fill('ada');
    await page.getByLabel('Persona').fill('Answers with <i>numbers</i>.');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Answers with <i>numbers</i>.').waitFor();
    await app.check(page, 'settings-agents');
    await page.getByRole('tab', { name: 'MCP servers' }).click();
    await page.getByText('No MCP server').waitFor();
    await page.getByRole('tab', { name: 'Metrics' }).click();
    await page.getByText('Nothing was started in this period').waitFor();
  });
});
