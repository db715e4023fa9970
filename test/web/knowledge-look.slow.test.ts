// The look of the tabs and dialogs of Memory, Context and Schedules, which takes long in both themes and widths.
import { describe, test } from 'vitest';
import { hasBrowser, useApp } from './browser.ts';
import { HEARSAY } from './hearsay-graph.ts';

const LONG = `A fact with many words: ${'and so on '.repeat(60)}`;

describe.skipIf(!hasBrowser)('pages in both themes and widths', () => {
  const app = useApp({
    files: {
      '.oka/graphs/hearsay.json': JSON.stringify(HEARSAY),
      'input.json': JSON.stringify({ text: LONG }),
      'src/config.ts': 'export const port = 80;\n',
    },
    fill: async (app) => {
      const post = (path: string, body: object): Promise<unknown> => app.request('POST', path, body);
      await post('/v1/memory/facts', { text: 'Ada prefers tea', namespace: 'people', importance: 5 });
      await post('/v1/memory/facts', { text: `${LONG} about Ada`, source: 'a letter', key: 'ada' });
      await app.oka('graph', 'run', 'hearsay', '--input', 'input.json');
      await post('/v1/context/scan', {});
      await post('/v1/context/frames', { node: 'src/config.ts', content: '# Port\n\nIt sets `port`.' });
      await post('/v1/context/synthesize', { node: 'src' });
      app.workspace.put('src/config.ts', 'export const port = 81;\n');
      await post('/v1/context/scan', {});
      await post('/v1/schedules', { graph: 'hearsay', cron: '*/15 * * * *', input: { text: 'x' } });
      await post('/v1/schedules', { graph: 'hearsay', cron: '0 7 * * MON', input: { text: 'x' } });
    },
  });

  test.each([
    ['memory', '/memory', 'Ada prefers tea'],
    ['memory-review', '/memory?tab=review', 'confidence'],
    ['memory-procedures', '/memory?tab=procedures&procedure=brief-folder', 'Built in'],
    ['memory-pack', '/memory?tab=pack&goal=tea+for+Ada', 'What the model gets'],
    ['context-tree', '/context', 'stale below'],
    ['context-stale', '/context?tab=stale', 'src/config.ts'],
    ['schedules-add', '/schedules?add=hearsay', 'Times in your zone'],
    ['schedules-agenda', '/schedules?tab=agenda', 'Tomorrow'],
    ['schedules-month', '/schedules?tab=month', 'Times in your zone'],
  ])('%s', async (name, path, words) => {
    const page = await app.open(path);
    await page.getByText(words).first().waitFor();
    await app.check(page, name);
  });

  test('regeneration', async () => {
    const page = await app.open('/context?node=src');
    await page.getByRole('button', { name: 'Regenerate this…' }).click();
    await page.getByRole('dialog').getByText('1 frame', { exact: true }).waitFor();
    await app.check(page, 'context-regenerate');
  });
});
