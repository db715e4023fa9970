import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser, useApp } from './browser.ts';

const nodeOf = (page: Page, name: string | RegExp) =>
  page.getByRole('region', { name: /^Drawing/ }).getByRole('group', { name });

const long = (id: string, count: number) => ({
  id,
  name: 'Long',
  version: 1,
  start: 'start',
  nodes: [
    { node_id: 'start', type: 'start', next: 'n0' },
    ...Array.from({ length: count }, (_, index) => ({
      ...{ node_id: `n${index}`, type: 'transform', expression: '$' },
      next: index + 1 < count ? `n${index + 1}` : 'end',
    })),
    { node_id: 'end', type: 'end' },
  ],
});

describe.skipIf(!hasBrowser)('Graphs in every look', () => {
  const app = useApp({ files: { 'app.log': 'INFO a\nERROR disk 1\nERROR disk 2\n' } });

  test('draws an edge by dragging, and deletes it by a key', async () => {
    await app.request('PUT', '/v1/graphs/drag', { definition: long('drag', 2) });
    const page = await app.open('/graphs/drag');
    await page.getByText('Valid', { exact: true }).waitFor();
    const from = nodeOf(page, 'Start start').locator('.react-flow__handle.source');
    await from.dragTo(nodeOf(page, 'End end').locator('.react-flow__handle.target'));
    await page.getByRole('group', { name: 'start to end' }).waitFor();
    await page.getByRole('region', { name: 'Problems' }).getByText('n0').first().waitFor();
    await app.check(page, 'graph-problems');
    await page.getByRole('group', { name: 'start to end' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Delete');
    await page.getByRole('group', { name: 'start to end' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Version 1 · saved').waitFor();
  });

  test('runs a template with a form from its input schema, and shows the waiting node', async () => {
    const page = await app.open('/graphs/new?from=log-summary');
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Run…' }).click();
    await page.getByLabel('Path', { exact: true }).fill('app.log');
    await page.getByLabel('Threshold (optional)').fill('1');
    await page.getByRole('button', { name: 'Save and run' }).click();
    await page.waitForURL('**/graphs/log-summary?run=*');
    await nodeOf(page, /^Approval .*waiting/).waitFor();
    await nodeOf(page, 'Condition is_too_much, done').click();
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByRole('region', { name: 'Data of is_too_much' }).waitFor();
    await app.check(page, 'graph-waiting');
  });

  test('the text, a conflict and the versions are accessible', async () => {
    await app.request('PUT', '/v1/graphs/looks', { definition: long('looks', 3) });
    const page = await app.open('/graphs/looks?side=json', { allow: /409/ });
    await page.getByRole('textbox', { name: 'The graph as JSON' }).getByText('"Long"').waitFor();
    await app.check(page, 'graph-json');
    await page.getByRole('tab', { name: 'Form' }).click();
    await page.getByLabel('Name').fill('Mine');
    writeFileSync(
      app.workspace.at('.oka/graphs/looks.json'),
      JSON.stringify({ ...long('looks', 3), name: 'Theirs' }),
    );
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByText('-  "name": "Theirs"').waitFor();
    await app.check(page, 'graph-conflict');
    await page.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Version 2 · saved').waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: /Version 1/ }).click();
    await page.getByRole('region', { name: 'Changes since version 1' }).waitFor();
    await app.check(page, 'graph-versions');
  });

  test('a graph of 1,000 nodes opens and can be edited', async () => {
    await app.request('PUT', '/v1/graphs/large', { definition: long('large', 998) });
    const page = await app.open('/graphs/large?node=n500');
    await page.getByLabel('Expression').fill('$string($)');
    await page.getByText('unsaved changes').waitFor();
    await page.getByText('Valid', { exact: true }).waitFor();
    expect(await page.locator('.canvas').isVisible()).toBe(true);
  });
});
