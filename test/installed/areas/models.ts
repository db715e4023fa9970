// Every model provider, against the emulator of their wire formats.

import { expect, test } from 'vitest';
import type { DoctorAnswer, RunAnswer } from '../../../src/api/index.ts';
import { addModel } from '../../cli/models-kit.ts';
import { noTerminal, Terminal } from '../../cli/terminal.ts';
import { fakeProvider } from '../../models/fake-provider.ts';
import { startEmulator, WIRE_FORMATS } from '../../models/wires.ts';
import { startDaemon } from '../installed-oka.ts';
import { type Area, SCRIPTED, script, succeed } from './area.ts';

export function modelsArea({ open }: Area): void {
  test.each(['in the command itself', 'in the daemon'])('every provider answers %s', async (where) => {
    const emulator = await startEmulator();
    emulator.on({ endpoint: 'chat' }, { content: 'Good day.' });
    const models = WIRE_FORMATS.map(({ provider, path }) => [
      provider,
      { provider, model: 'model-1', base_url: emulator.url + path, api_key: { env: 'HOUSE_KEY' } },
    ]);
    const workspace = await open({
      userConfig: { models: Object.fromEntries(models) },
      env: { HOUSE_KEY: 'a key that nobody may see' },
    });
    if (where === 'in the daemon') await startDaemon(workspace);
    for (const { provider } of WIRE_FORMATS) {
      const { data } = await workspace.answer<RunAnswer>('do', `greet ${provider}`, '--model', provider);
      expect(data.run, JSON.stringify(data.run.failure)).toMatchObject({ status: 'completed' });
      expect(data.output).toBe('Good day.');
    }
  });

  test('a model is added with its key in the vault, on a terminal too, and doctor asks it', async () => {
    const provider = await fakeProvider({ key: 'key-of-the-provider' });
    const workspace = await open({});
    await addModel(workspace, provider);
    const { data } = await workspace.answer<DoctorAnswer>('doctor');
    expect(data.checks.find(({ name }) => name === 'model openai/model-1')).toMatchObject({ ok: true });
    if (noTerminal) return;
    const terminal = new Terminal(workspace, ['model', 'add', 'openai', '--url', provider.url]);
    await terminal.sees(/Default model for all workspaces: openai\/model-1/);
    expect(await terminal.exitCode()).toBe(0);
  });

  test('a scripted model answers', async () => {
    const workspace = await open({
      files: { 'script.json': script({ text: 'Good day.' }) },
      config: SCRIPTED,
    });
    expect((await workspace.answer<RunAnswer>('do', 'greet me')).data.output).toBe('Good day.');
  });

  test('memory is indexed with the vectors of a model', async () => {
    const emulator = await startEmulator();
    emulator.on({ endpoint: 'embedding' }, { embedding: [0.1, 0.2, 0.3, 0.4] });
    const model = {
      provider: 'openai-compatible',
      model: 'm',
      base_url: `${emulator.url}/v1`,
      embedding_model: 'e',
    };
    const workspace = await open({
      userConfig: { models: { mock: model }, memory: { embedder: { model: 'mock', dimensions: 4 } } },
    });
    await succeed(workspace, 'memory', 'fact', 'add', 'The pump is green.');
    await succeed(workspace, 'memory', 'reindex');
    const { data } = await workspace.answer<object>('memory', 'retrieve', 'pump');
    expect(JSON.stringify(data)).toMatch(/The pump is green/);
    expect(data).not.toMatchObject({ degraded: true });
  });
}
