import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/kernel/index.ts';
import { OkaError } from '../../src/kernel/index.ts';
import { contextBench, madeUpModel } from './context-bench.ts';

const FILES = { 'src/a.txt': 'alpha file', 'src/b.txt': 'beta file' };

describe('the context tools', () => {
  it('let a writer append and everybody read, each frame in the commit of its call', async () => {
    const { call, api, ledger } = await contextBench(FILES);
    const put = await call('context.put_frame', { node: 'src/a.txt', content: 'says alpha' }, 'writer');
    expect(put).toMatchObject({
      run: { status: 'completed' },
      output: { outcome: 'appended', path: 'src/a.txt' },
    });
    const { frame } = put.output as { frame: string };
    const events = await ledger.events.readAfter(0, 1_000);
    const appended = events.find(({ type }) => type === 'context.frame_appended');
    const step = events.find(
      ({ type, stream }) => type === 'step.completed' && stream === `run/${put.run.id}`,
    );
    expect(appended?.seq).toBe((step?.seq ?? 0) + 1);
    expect(step?.ends).toBe(false);
    const read = await call('context.get_node', { node: 'src/a.txt' }, 'reader');
    expect(read.output).toMatchObject({ frames: [{ id: frame, agent: 'writer', content: 'says alpha' }] });
    const composed = await call('context.compose', { node: 'src/b.txt', max_frames: 1 }, 'reader');
    expect(composed.output).toMatchObject({ frames: [{ id: frame, source: 'siblings' }] });
    expect(await api.validate()).toEqual({ ok: true, faults: [] });
  });

  it('refuse a reader that writes, a writer that synthesizes, and an agent that acts as another', async () => {
    const { call, api } = await contextBench(FILES);
    const refused = async (tool: string, input: object, agent: string) =>
      (await call(tool, input, agent)).run.failure?.code;
    const words = { node: 'src/a.txt', content: 'x' };
    expect(await refused('context.put_frame', words, 'reader')).toBe('context.not_allowed');
    expect(await refused('context.synthesize', { node: 'src' }, 'writer')).toBe('context.not_allowed');
    expect(await refused('context.put_frame', { ...words, agent: 'writer' }, 'reader')).toBe(
      'context.not_allowed',
    );
    expect(await refused('context.put_frame', words, 'nobody')).toBe('agent.unknown');
    expect(await refused('context.generate_frame', { node: 'src', prompt: 'x' }, 'reader')).toBe(
      'context.not_allowed',
    );
    expect(await api.status()).toMatchObject({ frames: 0 });
  });

  it('let a person act for an agent, and synthesize', async () => {
    const { call, api } = await contextBench(FILES);
    await call('context.put_frame', { node: 'src/a.txt', content: 'says alpha', agent: 'writer' });
    const made = await call('context.synthesize', { node: 'src', policy: 'summarization' });
    expect(made.output).toMatchObject({ outcome: 'appended', skipped: ['src/b.txt'] });
    expect((await api.getHead({ node: 'src' })).head).toMatchObject({ agent: 'user', recipe: 'synthesis' });
    expect((await api.listFrames({ node: 'src/a.txt' }))[0]).toMatchObject({ agent: 'writer' });
  });

  it('keep large content as an artifact of the run, and give it back whole', async () => {
    const { call, api } = await contextBench(FILES);
    const content = 'long words '.repeat(5_000);
    const { run } = await call('context.put_frame', { node: 'src/a.txt', content }, 'writer');
    expect(run.artifacts).toMatchObject([{ bytes: content.length }]);
    const { frames } = await api.getNode({ node: 'src/a.txt', agent: 'user' });
    expect(frames).toMatchObject([{ content }]);
  });
});

describe('generate_frame', () => {
  const generate = async (
    bench: Awaited<ReturnType<typeof contextBench>>,
    agent: string,
    node = 'src/a.txt',
  ) => {
    bench.clock.advance(1);
    return bench.api.generate({ node, prompt: 'What is it?', type: 'summary', agent });
  };

  it('uses several providers side by side, each agent its own, and says which in the metadata', async () => {
    const bench = await contextBench(FILES);
    bench.models.set(
      'agent:writer',
      madeUpModel('north', () => 'by north'),
    );
    bench.models.set(
      'agent:other',
      madeUpModel('south', () => 'by south'),
    );
    const [north, south] = await Promise.all([generate(bench, 'writer'), generate(bench, 'other')]);
    expect(north.frame).toMatchObject({ agent: 'writer', metadata: { provider: 'north', model: 'north-1' } });
    expect(south.frame).toMatchObject({ agent: 'other', metadata: { provider: 'south', model: 'south-1' } });
    expect(north.run.budgets.used).toMatchObject({ model_calls: 1, input_tokens: 3 });
  });

  it('shows the model the question and the file, and rests on node and prompt', async () => {
    const bench = await contextBench(FILES);
    let asked = '';
    bench.models.set(
      undefined,
      madeUpModel('one', (text) => {
        asked = text;
        return 'the answer';
      }),
    );
    const { frame } = await generate(bench, 'user');
    expect(asked).toContain('What is it?');
    expect(asked).toContain('alpha file');
    expect(await bench.api.getHead({ node: 'src/a.txt' })).toMatchObject({
      head: { id: frame?.id },
      stale: false,
    });
    bench.write('src/a.txt', 'changed');
    expect((await generate(bench, 'user')).run.failure?.code).toBe('context.node_changed');
    await bench.scan();
    expect(await bench.api.getHead({ node: 'src/a.txt' })).toMatchObject({ stale: true });
  });

  it('keeps the agent and the frame id when the provider is switched; new frames name the new one', async () => {
    const bench = await contextBench(FILES);
    bench.models.set(
      'agent:writer',
      madeUpModel('north', () => 'the same words'),
    );
    const first = await generate(bench, 'writer');
    bench.models.set(
      'agent:writer',
      madeUpModel('south', () => 'the same words'),
    );
    expect((await generate(bench, 'writer')).frame?.id).toBe(first.frame?.id);
    bench.models.set(
      'agent:writer',
      madeUpModel('south', () => 'other words'),
    );
    const second = await generate(bench, 'writer');
    expect(second.frame).toMatchObject({ agent: 'writer', metadata: { provider: 'south' } });
    expect(second.frame?.basisHash).toBe(first.frame?.basisHash);
    expect(second.frame?.id).not.toBe(first.frame?.id);
  });

  it('ends in a failed run with the provider error, and in no frame', async () => {
    const bench = await contextBench(FILES);
    const failing = madeUpModel('broken', () => {
      throw new OkaError('models.refused', 'the model refused.');
    });
    bench.models.set('agent:writer', failing);
    expect((await generate(bench, 'writer')).run).toMatchObject({
      status: 'failed',
      failure: { code: 'models.refused' },
    });
    const other = await generate(bench, 'other');
    expect(other.run.failure?.code).toBe('models.not_configured');
    expect(other).not.toHaveProperty('frame');
    expect(await bench.api.status()).toMatchObject({ frames: 0 });
  });

  it('is repeated by regeneration with the recorded prompt, and foreseen with its cost', async () => {
    const bench = await contextBench(FILES);
    const prompts: string[] = [];
    bench.models.set(
      'agent:writer',
      madeUpModel('north', (asked) => {
        prompts.push(asked);
        return `take ${prompts.length}`;
      }),
    );
    await generate(bench, 'writer');
    bench.write('src/a.txt', 'another alpha');
    bench.clock.advance(1);
    await bench.scan();
    const request = { node: '.', recursive: true, models: true, agent: 'user', by: 'tester' };
    expect((await bench.api.regenerate({ ...request, dryRun: true })).cost).toEqual({
      frames: 1,
      modelCalls: 1,
    });
    expect(prompts).toHaveLength(1);
    const { regenerated } = await bench.api.regenerate({ ...request, dryRun: false });
    expect(regenerated).toMatchObject([{ path: 'src/a.txt', recipe: 'generation' }]);
    expect(prompts[1]).toContain('another alpha');
    const { frames } = await bench.api.getNode({ node: 'src/a.txt', agent: 'user' });
    expect(frames.map(({ content }) => content as Json)).toEqual(['take 2', 'take 1']);
    expect(await bench.api.regenerate({ ...request, dryRun: false })).toMatchObject({ regenerated: [] });
  });
});
