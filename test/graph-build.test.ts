import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { Oka } from '../src/runtime/index.ts';
import { tempFolder } from './support/temp-folder.ts';

const graph = (next: string) => ({
  id: 'greeter',
  name: 'Greeter',
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded' },
  nodes: [
    { node_id: 'start', type: 'start', next },
    { node_id: 'end', type: 'end' },
  ],
});

async function workspace(turns: readonly object[]) {
  const folder = tempFolder();
  const oka = new Oka({ workspace: folder, home: join(folder, 'home') });
  onTestFinished(() => oka.close());
  mkdirSync(join(folder, '.oka'), { recursive: true });
  const models = { demo: { provider: 'scripted', script: 'script.json' } };
  writeFileSync(join(folder, '.oka', 'config.json'), JSON.stringify({ models }));
  writeFileSync(join(folder, 'script.json'), JSON.stringify({ turns }));
  await oka.init({ trust: true });
  return { oka, folder };
}

it('sends the compiler’s diagnostics to the model, and writes the graph once it compiles', async () => {
  const { oka, folder } = await workspace([
    { role: 'builder', once: true, json: graph('nowhere') },
    { role: 'builder', once: true, text: 'I would rather talk about it.' },
    { role: 'builder', when: 'The graph does not compile', json: { definition: graph('end'), choices: [] } },
  ]);
  const answer = await oka.graphs.build('greet somebody', { dryRun: false });
  expect(answer).toMatchObject({ attempts: 3, definition: { id: 'greeter' } });
  const written: unknown = JSON.parse(readFileSync(join(folder, answer.path ?? ''), 'utf8'));
  expect(written).toEqual(graph('end'));
  const [run] = await oka.runs.list({ limit: 1, full: true });
  expect(run).toMatchObject({ kind: 'builder', status: 'completed', budgets: { used: { model_calls: 3 } } });
});

it('gives up after three attempts and writes nothing', async () => {
  const { oka } = await workspace([{ role: 'builder', json: graph('nowhere') }]);
  await expect(oka.graphs.build('greet somebody', { dryRun: false })).rejects.toMatchObject({
    code: 'graph.build_failed',
    message: expect.stringContaining('nowhere') as string,
  });
  expect(await oka.graphs.list()).toEqual([]);
});

it('reports the error of the model', async () => {
  const { oka } = await workspace([{ error: 'refused' }]);
  await expect(oka.graphs.build('greet somebody', { dryRun: false })).rejects.toMatchObject({
    code: 'models.refused',
  });
});
