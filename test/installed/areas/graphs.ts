// Graphs: built, checked, shown, run and replayed, also those of the gallery that is shipped.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../../src/api/index.ts';
import { type Area, succeed } from './area.ts';

export function graphsArea({ oka, open }: Area): void {
  test('a graph is built from words, checked, drawn, run, replayed and changed', async () => {
    const workspace = await open();
    const intent = 'search for TODO and write the matches to TODOS.md';
    await succeed(workspace, 'graph', 'build', intent, '--id', 'todos');
    await succeed(workspace, 'graph', 'validate', 'todos');
    for (const format of ['mermaid', 'dot', 'ascii', 'svg'])
      expect(await succeed(workspace, 'graph', 'render', 'todos', '--format', format)).not.toBe('');
    const { data } = await workspace.answer<RunAnswer>('graph', 'run', 'todos');
    expect(data.run).toMatchObject({ status: 'completed' });
    expect(workspace.text('TODOS.md')).toContain('src/beds.ts');
    await succeed(workspace, 'graph', 'render', '--run', data.run.id);
    await succeed(workspace, 'graph', 'replay', data.run.id, '--as', 'decision');
    await succeed(workspace, 'eval', 'add', data.run.id, '--name', 'recorded');
    await succeed(workspace, 'eval', 'show', 'recorded');
    await succeed(workspace, 'eval', 'run');
    await succeed(workspace, 'eval', 'run', '--live');
    await succeed(workspace, 'eval', 'update', 'recorded');
    const kept = ['--keep', 'files_write.content'];
    await succeed(workspace, 'graph', 'from-run', data.run.id, '--id', 'again', '--dry-run', ...kept);
    await succeed(workspace, 'graph', 'schema');
    await succeed(workspace, 'graph', 'show', 'todos');
    await succeed(workspace, 'graph', 'list');
    await succeed(workspace, 'graph', 'runs', 'todos');
    await succeed(workspace, 'runs', 'undo', data.run.id);
    expect(workspace.has('TODOS.md')).toBe(false);
    await workspace.verified();
  });

  test('every graph of the gallery is valid', async () => {
    const workspace = await open();
    const gallery = join(oka().packageFolder, 'gallery');
    const graphs = readdirSync(gallery).filter((name) => name.endsWith('.json'));
    expect(graphs).not.toEqual([]);
    for (const name of graphs) await succeed(workspace, 'graph', 'validate', join(gallery, name));
  });

  test('oka start runs the first job on a folder', async () => {
    const workspace = await open();
    expect(await succeed(workspace, 'start', '--once')).toContain('Done');
  });
}
