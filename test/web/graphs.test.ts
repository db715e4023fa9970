import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser, useApp } from './browser.ts';

const graph = (id: string) => ({
  id,
  name: 'Read a note',
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 60, max_retries: 0 },
  nodes: [
    { node_id: 'start', type: 'start', next: 'read' },
    { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: '{{input.path}}' }, next: 'long' },
    {
      node_id: 'long',
      type: 'typed_condition',
      ...{ left: '{{read.bytes}}', operator: 'gt', right: 3, if_true: 'shout', if_false: 'end' },
    },
    { node_id: 'shout', type: 'transform', expression: '$uppercase($nodes.read.content)', next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
});

const nodeOf = (page: Page, name: string | RegExp) =>
  page.getByRole('region', { name: /^Drawing/ }).getByRole('group', { name });

describe.skipIf(!hasBrowser)('Graphs', () => {
  const app = useApp({ files: { 'note.txt': 'hello' } });
  const put = (id: string) => app.request('PUT', `/v1/graphs/${id}`, { definition: graph(id) });
  const fileOf = (id: string) => app.workspace.at(`.oka/graphs/${id}.json`);

  test('builds a graph by keyboard, saves it, runs it, and shows the path of the run', async () => {
    const page = await app.open('/graphs/new');
    await page.getByLabel('Id', { exact: true }).fill('shout');
    const press = async (button: string): Promise<void> => {
      await page.getByRole('button', { name: button, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    await nodeOf(page, 'Start start').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Adds after start.').waitFor();
    await press('Tool');
    await page.getByLabel('Tool', { exact: true }).fill('files.read');
    await page.getByLabel('Path', { exact: true }).fill('{{input.path}}');
    await press('Transform');
    await page.getByLabel('Expression').fill('$uppercase(content)');
    await page.getByLabel('Goes to').selectOption('end');
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.keyboard.press('Control+s');
    await page.waitForURL('**/graphs/shout**');
    await page.getByText('Version 1 · saved').waitFor();
    expect(JSON.parse(readFileSync(fileOf('shout'), 'utf8')).nodes).toHaveLength(4);
    await press('Run…');
    await page.getByRole('dialog').getByLabel('Input').fill('{"path":"note.txt"}');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await nodeOf(page, 'Transform transform, done').waitFor();
    await page.getByRole('tab', { name: 'Runs' }).click();
    const path = page.getByRole('list', { name: 'Path of the run' });
    await path.getByRole('button', { name: 'transform' }).click();
    await page
      .getByRole('region', { name: 'Data of transform' })
      .getByText('"HELLO"', { exact: true })
      .waitFor();
    expect(await page.locator('.canvas-edge-lit').count()).toBe(3);
    await app.check(page, 'graph-run');
  });

  test('starts a run from a node with the recorded data', async () => {
    await put('fork');
    const { run } = await app.request<{ run: { id: string } }>('POST', '/v1/graphs/fork/run', {
      input: { path: 'note.txt' },
    });
    const page = await app.open(`/graphs/fork?run=${run.id}&node=shout`);
    await nodeOf(page, 'Transform shout, done').waitFor();
    await page.getByText('It uses the graph as it was in that run').waitFor();
    await page.getByRole('button', { name: 'Run from here' }).click();
    await page.waitForURL((url) => (url.searchParams.get('run') ?? run.id) !== run.id);
    await nodeOf(page, 'Transform shout, done').waitFor();
    await nodeOf(page, 'Tool read, skipped').waitFor();
  });

  test('lists problems, marks the node, links to it, and accepts the fix', async () => {
    await put('wrong');
    const page = await app.open('/graphs/wrong?node=read');
    await page.getByLabel('Tool', { exact: true }).fill('files.raed');
    await nodeOf(page, 'Tool read, 1 errors').waitFor();
    const problems = page.getByRole('region', { name: 'Problems' });
    await nodeOf(page, 'End end').click();
    await problems.getByRole('button', { name: /there is no tool/ }).click();
    await page.waitForURL('**?node=read');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await problems.getByRole('button', { name: 'Change it to "files.read"' }).click();
    await page.getByText('Valid', { exact: true }).waitFor();
    expect(await page.getByLabel('Tool', { exact: true }).inputValue()).toBe('files.read');
  });

  test('undoes and redoes edits by keys, and a renamed node keeps its references', async () => {
    await put('undo');
    const page = await app.open('/graphs/undo?node=read');
    await page.getByLabel('Id', { exact: true }).fill('load');
    await page.keyboard.press('Enter');
    await nodeOf(page, 'Tool load').waitFor();
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.keyboard.press('Control+z');
    await nodeOf(page, 'Tool read').waitFor();
    await page.getByText('Version 1 · saved').waitFor();
    await page.keyboard.press('Control+Shift+z');
    await nodeOf(page, 'Tool load').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Delete');
    await nodeOf(page, 'Tool load').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await nodeOf(page, 'Tool load').waitFor();
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.goBack();
    await nodeOf(page, 'Tool load').waitFor();
    await page.getByText('unsaved changes').waitFor();
  });

  test('keeps the drawing while the text is not JSON', async () => {
    await put('text');
    const page = await app.open('/graphs/text?side=json');
    const editor = page.getByRole('textbox', { name: 'The graph as JSON' });
    await editor.getByText('"Read a note"').waitFor();
    await editor.focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('oops');
    await page.getByText(/The drawing shows the last version/).waitFor();
    expect(await page.locator('.canvas-node').count()).toBe(5);
    await page.keyboard.press('Control+z');
    await page.getByText('Version 1 · saved').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(JSON.stringify({ ...graph('text'), name: 'Typed' }));
    await page.getByText('unsaved changes').waitFor();
    await page.getByRole('tab', { name: 'Form' }).click();
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed');
  });

  test('does not overwrite a file that has changed, and keeps both versions', async () => {
    await put('conflict');
    const page = await app.open('/graphs/conflict', { allow: /409/ });
    await page.getByLabel('Name').fill('Mine');
    const theirs = { ...graph('conflict'), name: 'Theirs' };
    writeFileSync(fileOf('conflict'), JSON.stringify(theirs));
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.keyboard.press('Control+s');
    const banner = page.getByRole('alert').filter({ hasText: 'The file has changed' });
    await banner.getByRole('button', { name: 'Compare' }).click();
    await banner.getByText('-  "name": "Theirs"').waitFor();
    expect(readFileSync(fileOf('conflict'), 'utf8')).toContain('Theirs');
    await banner.getByRole('button', { name: 'Save mine' }).click();
    await page.getByText('Version 2 · saved').waitFor();
    expect(readFileSync(fileOf('conflict'), 'utf8')).toContain('Mine');
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: /Version 1/ }).click();
    const changes = page.getByRole('region', { name: 'Changes since version 1' });
    await changes.getByText('+  "name": "Mine"').waitFor();
    await page.getByRole('button', { name: 'Load it into the editor' }).click();
    await page.getByText('unsaved changes').waitFor();
  });

  test('lists graphs with markup as text, and opens a template unsaved', async () => {
    const name = '<img src=x onerror=alert(1)>';
    await app.request('PUT', '/v1/graphs/strange', { definition: { ...graph('strange'), name } });
    const page = await app.open('/graphs');
    await page.getByText(name).waitFor();
    await app.check(page, 'graphs');
    await page.getByRole('link', { name: /link-checker/ }).click();
    await page.getByText('not saved yet').waitFor();
    await page.getByText('Valid', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL('**/graphs/link-checker');
    await page.getByText('Version 1 · saved').waitFor();
  });
});
