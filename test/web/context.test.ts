import { describe, expect, test } from 'vitest';
import { addModel } from '../cli/models-kit.ts';
import { fakeProvider } from '../models/fake-provider.ts';
import { hasBrowser, useApp } from './browser.ts';

const XSS = '<img src=x onerror="document.title=1">';

describe.skipIf(!hasBrowser)('Context', () => {
  const app = useApp({
    files: {
      'src/config.ts': 'export const port = 80;\n',
      'src/deep/inner/main.ts': 'start();\n',
      'many/file-000.txt': '0',
      ...Object.fromEntries(
        Array.from({ length: 250 }, (_, index) => [`many/file-${String(index).padStart(3, '0')}.txt`, 'x']),
      ),
    },
  });
  const scan = (): Promise<unknown> => app.request('POST', '/v1/context/scan', {});

  test('offers a scan, scans, and opens folders on demand', async () => {
    const page = await app.open('/context');
    await page.getByRole('button', { name: 'Scan' }).click();
    const tree = page.getByRole('list', { name: 'Tree' });
    await tree.getByRole('button', { name: 'Open many' }).click();
    await tree.getByRole('button', { name: 'file-000.txt' }).waitFor();
    await page.getByRole('list', { name: 'Tree' }).hover();
    await page.mouse.wheel(0, 20_000);
    await tree.getByRole('button', { name: 'Show more' }).click();
    await tree.getByRole('button', { name: 'file-200.txt' }).waitFor();
    await page.mouse.wheel(0, 20_000);
    await tree.getByRole('button', { name: 'file-249.txt' }).waitFor();
  });

  test('shows a stale head and the extent and cost of a regeneration, and regenerates it', async () => {
    const provider = await fakeProvider({ says: `It sets the port. ${XSS}` });
    await addModel(app.workspace, provider, {}, '--no-test');
    await scan();
    await app.request('POST', '/v1/context/frames', { node: 'src/deep/inner/main.ts', content: 'Starts.' });
    await app.oka('context', 'generate', 'src/config.ts', '--prompt', 'What is it?', '--type', 'note');
    await app.request('POST', '/v1/context/synthesize', { node: 'src', recursive: true });
    app.workspace.put('src/config.ts', 'export const port = 81;\n');
    await scan();

    const page = await app.open('/context?node=src/config.ts');
    const panel = page.getByRole('region', { name: 'Path' });
    await panel.getByText('Stale').waitFor();
    await panel.getByText(`It sets the port. ${XSS}`).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    await app.check(page, 'context');

    await page.getByRole('main').getByRole('button', { name: 'Regenerate…' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('it needs a model').waitFor();
    await dialog.getByRole('checkbox', { name: 'Also frames that a model wrote' }).check();
    await dialog.getByText('1 model call', { exact: true }).waitFor();
    const before = provider.asked.length;
    await dialog.getByRole('button', { name: /^Regenerate \d+ frames$/ }).click();
    await page.getByText(/frames regenerated, 1 model call/).waitFor();
    await panel.getByText('Fresh').waitFor();
    await panel.getByRole('heading', { name: /History/ }).waitFor();
    expect(provider.asked.length).toBe(before + 1);
  });

  test('lists heads that are not fresh', async () => {
    await scan();
    await app.request('POST', '/v1/context/frames', { node: 'many/file-001.txt', content: 'One.' });
    app.workspace.put('many/file-001.txt', 'changed');
    await scan();
    const page = await app.open('/context?tab=stale');
    await page
      .getByRole('list', { name: 'Stale heads' })
      .getByRole('button', { name: /file-001/ })
      .click();
    await page.getByRole('region', { name: 'Path' }).getByText('One.').waitFor();
    await page.goto(`${app.origin}/context`);
    await page
      .getByRole('list', { name: 'Tree' })
      .getByText(/stale below/)
      .first()
      .waitFor();
  });
});
