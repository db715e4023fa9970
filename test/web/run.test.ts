import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { SMALL_PROJECT } from '../cli/oka-process.ts';
import { graphOf, tool } from '../support/sample-graphs.ts';
import { hasBrowser, useApp } from './browser.ts';

const XSS = '<img src=x onerror="document.title=\'hacked\'">';

const READ = {
  ...graphOf(
    'Read',
    tool('read', 'end', { args: { path: '{{input.path}}' }, timeout_seconds: 9, max_retries: 0 }),
  ),
  id: 'read-one',
};
const MANY = {
  ...graphOf('Many', {
    ...{ node_id: 'each', type: 'map', items: '{{input}}', graph: 'read-one', max_items: 9, next: 'end' },
  }),
  id: 'many',
};
const SCRIPT = {
  turns: [
    {
      once: true,
      text: 'I write it down.',
      tool_calls: [{ tool: 'files.write', input: { path: 'note.md', content: `${XSS}\n` } }],
    },
    { text: `Written: ${XSS}` },
  ],
};

describe.skipIf(!hasBrowser)('the page of a run', () => {
  const app = useApp({
    files: {
      ...SMALL_PROJECT,
      'other.md': 'other\n',
      'script.json': JSON.stringify(SCRIPT),
      '.oka/graphs/read-one.json': JSON.stringify(READ),
      '.oka/graphs/many.json': JSON.stringify(MANY),
    },
    config: { models: { writer: { provider: 'scripted', script: 'script.json' } } },
  });
  const start = async (goal: string, model = 'none'): Promise<string> =>
    (await app.request<RunAnswer>('POST', '/v1/runs', { goal, model })).run.id;
  const graph = async (name: string, input: unknown): Promise<string> =>
    (await app.request<RunAnswer>('POST', `/v1/graphs/${name}/run`, { input })).run.id;
  const step = (page: Page, name: string | RegExp) =>
    page.getByRole('region', { name: 'What happened' }).getByRole('button', { name }).first();
  const confirm = async (page: Page, action: string): Promise<void> =>
    page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();

  test('follows a run live, and pauses, resumes and cancels it', async () => {
    const id = await start('wait for the event "go"');
    const page = await app.open(`/runs/${id}`);
    await page.getByText('Waiting for event').first().waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await confirm(page, 'Pause');
    await page.getByText('Paused').first().waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await confirm(page, 'Resume');
    await page.getByText('Waiting for event').first().waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel the run…' }).click();
    await page.getByLabel('Reason').fill('not needed');
    await confirm(page, 'Cancel the run');
    await page.getByText('Cancelled').first().waitFor();
    await page.getByText('not needed').first().waitFor();
  });

  test('a new step appears while the page is open', async () => {
    const id = await start('wait for the event "go"');
    const page = await app.open(`/runs/${id}`);
    await page.getByText('Waiting for event').first().waitFor();
    await app.request('POST', `/v1/runs/${id}/signal`, { event: 'go', payload: { word: 'now' } });
    await page.getByText('Completed').first().waitFor();
    await step(page, 'finish').waitFor();
  });

  test('a failed step shows why it failed, and the address keeps the step', async () => {
    const id = await graph('read-one', { path: 'gone.md' });
    const page = await app.open(`/runs/${id}`);
    await page.getByText('Failed').first().waitFor();
    await step(page, /read gone\.md/).click();
    const panel = page.getByRole('complementary', { name: /^Step/ });
    await panel.getByText('files.not_found').waitFor();
    await page.waitForURL(/[?&]step=\d+/);
    await page.reload();
    await panel.getByText('files.not_found').waitFor();
  });

  test('forks a new run from a step with another input', async () => {
    const id = await graph('read-one', { path: 'gone.md' });
    const page = await app.open(`/runs/${id}`);
    await page.getByText('Failed').first().waitFor();
    await page.getByRole('button', { name: 'Fork from here…' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('From step').fill('1');
    await form.getByLabel('Variables (JSON)').fill('{ "input": ');
    await form.getByText('This is not JSON').waitFor();
    await form.getByLabel('Variables (JSON)').fill('{ "input": { "path": "other.md" } }');
    await confirm(page, 'Start the new run');
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByText('Completed').first().waitFor();
    await page.getByText(/forked from/).waitFor();
    await step(page, /read other\.md/).waitFor();
  });

  test('the scrubber shows every panel at an earlier moment', async () => {
    const id = await start('write a brief of this folder to SCRUB.md');
    const page = await app.open(`/runs/${id}`);
    await step(page, 'finish').waitFor();
    const range = page.getByRole('slider', { name: 'Moment of the run' });
    await range.focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/^as of/).waitFor();
    await step(page, 'finish').waitFor({ state: 'detached' });
    await page.getByText('Running then').waitFor();
    await page.waitForURL(/[?&]at=\d+/);
    const before = (await page.getByRole('tab', { name: /Events/ }).textContent()) ?? '';
    await page.reload();
    await page.getByText(/^as of/).waitFor();
    await page.getByRole('tab').filter({ hasText: before }).waitFor();
    await page.getByRole('tab', { name: 'Story' }).click();
    await page.getByText(/called procedures\.write/).waitFor();
    expect(await page.getByText(/finished$/).count()).toBe(0);
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await page.getByText(/finished$/).waitFor();
  });

  test('a replay shows what is different now', async () => {
    const id = await start('read other.md');
    const page = await app.open(`/runs/${id}`);
    await page.getByText('Completed').first().waitFor();
    app.workspace.put('other.md', 'changed since\n');
    await page.getByRole('button', { name: 'Replay…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByText(/^Equal/).waitFor();
    await dialog.getByLabel('What to repeat').selectOption('full');
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await dialog
      .getByText(/difference/)
      .first()
      .waitFor();
    await dialog.getByText(/^\+.*changed since/).waitFor();
    app.workspace.put('other.md', 'other\n');
  });

  test('shows the context of the model and what it wrote, and undoes the change', async () => {
    const id = await start(`note this: ${XSS}`, 'writer');
    const page = await app.open(`/runs/${id}`);
    await page.getByText('Completed').first().waitFor();
    await step(page, /write note\.md/).click();
    const panel = page.getByRole('complementary', { name: /^Step/ });
    await panel.getByText('intent and outcome on record').waitFor();
    await panel.getByText(`+${XSS}`).waitFor();
    await page.getByText(/ledger verified to event/).waitFor();
    expect(await page.title()).not.toBe('hacked');
    await app.check(page, 'run');
    await panel.getByRole('button', { name: /^step 2: I write it down/ }).click();
    await panel.getByText(/Shown to the model/).waitFor();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Undo file changes…' }).click();
    await confirm(page, 'Undo');
    await page.getByText('Restored').waitFor();
    expect(app.workspace.has('note.md')).toBe(false);
  });

  test('shows an artifact in a dialog', async () => {
    const id = await start('write "four beds" to beds.md');
    const page = await app.open(`/runs/${id}`);
    await page.getByText('Completed').first().waitFor();
    await page
      .getByRole('region', { name: 'Artifacts' })
      .getByRole('button', { name: 'beds.md' })
      .first()
      .click();
    await page.getByRole('dialog', { name: 'beds.md' }).getByText('four beds').waitFor();
  });

  test('continues a run with an exhausted budget after a person adds to it', async () => {
    const body = { goal: 'read README.md', model: 'none', budgets: { steps: 1 } };
    const { run } = await app.request<RunAnswer>('POST', '/v1/runs', body);
    const page = await app.open(`/runs/${run.id}`);
    await page.getByText('Waiting for budget').first().waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByLabel('Add to the budget steps').fill('20');
    await confirm(page, 'Resume');
    await page.getByText('Completed').first().waitFor();
  });

  test('the tree of a run links to its child runs and back', async () => {
    const id = await graph('many', [{ path: 'other.md' }, { path: 'README.md' }]);
    const page = await app.open(`/runs/${id}`);
    await page.getByText('Completed').first().waitFor();
    await page.getByText(/On the longest path/).waitFor();
    const tree = page.getByRole('complementary', { name: 'Run tree' });
    expect(await tree.getByRole('link').count()).toBe(3);
    await page.getByRole('tab', { name: 'Graph' }).click();
    await page
      .getByRole('region', { name: 'Path of the run in many' })
      .getByText('each', { exact: true })
      .waitFor();
    await tree.getByRole('link').nth(1).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await page.getByRole('complementary', { name: 'Run tree' }).getByRole('link').first().click();
    await page.waitForURL(`**/runs/${id}`);
  });

  test('searches events by type and content', async () => {
    const id = await start('read README.md');
    const page = await app.open(`/runs/${id}?tab=events`);
    const events = page.getByRole('list', { name: 'Events' });
    await events.getByText('run.completed').waitFor();
    await page.getByRole('searchbox', { name: 'Search events' }).fill('run.started');
    await page.waitForURL(/search=run\.started/);
    await events.getByText('run.completed').waitFor({ state: 'detached' });
    await events.getByRole('button').first().click();
    await page
      .getByRole('region', { name: /^Event \d+/ })
      .getByText('Content')
      .waitFor();
  });

  test('says that a run does not exist', async () => {
    const page = await app.open('/runs/nothing', { allow: /404/ });
    await page
      .getByRole('alert')
      .getByText(/nothing/)
      .first()
      .waitFor();
  });
});
