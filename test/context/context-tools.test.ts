import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/kernel/index.ts';
import { OkaError } from '../../src/kernel/index.ts';
import type { EventStore } from '../../src/ledger/index.ts';
import { contextBench, madeUpModel } from './context-bench.ts';

const bound = (target: object, name: string | symbol): unknown => {
  const member = Reflect.get(target, name, target) as unknown;
  return typeof member === 'function' ? member.bind(target) : member;
};

const FILES = { 'src/a.txt': 'alpha file', 'src/b.txt': 'beta file' };

describe('the context tools', () => {
  it('let a writer append and every agent read, each frame in the commit of its call', async () => {
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

  it('store large content as an artifact of the run, and return it whole', async () => {
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

  /** A bench whose writer has a model that answers otherwise each time, how often it did, and what it was asked last. */
  const counted = async () => {
    let [takes, asked] = [0, ''];
    const bench = await contextBench(FILES);
    const say = (text: string): string => {
      asked = text;
      takes += 1;
      return `take ${takes}`;
    };
    bench.models.set('agent:writer', madeUpModel('north', say));
    return { bench: { ...bench, asked: () => asked }, takes: () => takes };
  };

  it('uses several providers concurrently, one for each agent, and names it in the metadata', async () => {
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

  it('shows the model the question and the file, and records node and prompt as its basis', async () => {
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
    expect(await bench.api.getHead({ node: 'src/a.txt' })).toMatchObject({ stale: true });
    await generate(bench, 'user');
    expect(asked).toContain('changed');
    expect(await bench.api.getHead({ node: 'src/a.txt' })).toMatchObject({ stale: false });
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
    expect(await generate(bench, 'writer')).toMatchObject({ asked: false });
    const question = { node: 'src/a.txt', prompt: 'What is it?', type: 'summary', agent: 'writer' };
    const second = await bench.api.generate({ ...question, again: true });
    expect(second.frame).toMatchObject({ agent: 'writer', metadata: { provider: 'south' } });
    expect(second.frame?.basisHash).toBe(first.frame?.basisHash);
    expect(second.frame?.id).not.toBe(first.frame?.id);
  });

  it('asks the same question once, unless asked to repeat it or the answer was invalidated', async () => {
    const { bench, takes } = await counted();
    expect(await generate(bench, 'writer')).toMatchObject({ asked: true, frame: { content: 'take 1' } });
    const known = await generate(bench, 'writer');
    expect(known).toMatchObject({ asked: false, frame: { content: 'take 1' }, output: { outcome: 'known' } });
    expect(known.run.budgets.used).not.toHaveProperty('model_calls');
    const question = { node: 'src/a.txt', prompt: 'What is it?', type: 'summary', agent: 'writer' };
    expect(await bench.api.generate({ ...question, again: true })).toMatchObject({ asked: true });
    expect(await bench.api.generate({ ...question, prompt: 'And why?' })).toMatchObject({ asked: true });
    expect(takes()).toBe(3);
    await bench.api.invalidate({ node: 'src/a.txt', recursive: false, agent: 'user', by: 'me' });
    expect(await generate(bench, 'writer')).toMatchObject({ asked: true, frame: { content: 'take 4' } });
    bench.write('src/a.txt', 'another alpha');
    await bench.scan();
    const regenerate = () =>
      bench.api.regenerate({
        node: '.',
        recursive: true,
        dryRun: false,
        models: true,
        agent: 'user',
        by: 'me',
      });
    expect((await regenerate()).cost).toEqual({ frames: 1, modelCalls: 1 });
    bench.write('src/a.txt', FILES['src/a.txt']);
    await bench.scan();
    expect((await regenerate()).cost).toEqual({ frames: 1, modelCalls: 0 });
    expect(takes()).toBe(5);
  });

  it('does not pay twice when its process dies after the answer is recorded', async () => {
    const { bench, takes } = await counted();
    const vars = { tool: 'context.generate_frame', input: { node: 'src/a.txt', prompt: 'What?' } };
    const request = { kind: 'call', goal: 'test', vars: { ...vars, agent: 'writer' } };
    const died = new Promise<void>((resolve) => {
      // The first process comes as far as the commit of the outcome, and no further.
      const commit: EventStore['commit'] = async (draft) => {
        const events = await bench.ledger.events.commit(draft);
        if (!events.some(({ type }) => type === 'context.frame_appended')) return events;
        resolve();
        return new Promise(() => undefined);
      };
      const events = new Proxy(bench.ledger.events, {
        get: (target, name) => (name === 'commit' ? commit : bound(target, name)),
      });
      void bench.engineOf('first', events).run(request as never);
    });
    await died;
    const [cut] = await bench.ledger.runs.list({});
    expect(cut).toMatchObject({ status: 'running' });
    const resumed = await bench.engineOf('second').resume(String(cut?.id));
    expect(resumed.output).toMatchObject({ asked: true });
    const later = await bench.call('context.generate_frame', vars.input, 'writer');
    expect(later.output).toMatchObject({ asked: false, outcome: 'known' });
    expect(takes()).toBe(1);
  });

  it('uses the answer of the next attempt when its process died while the model was answering', async () => {
    const bench = await contextBench(FILES);
    const vars = { tool: 'context.generate_frame', input: { node: 'src/a.txt', prompt: 'What?' } };
    const request = { kind: 'call', goal: 'test', vars: { ...vars, agent: 'writer' } };
    let takes = 0;
    await new Promise<void>((resolve) => {
      const silent = madeUpModel('north', () => '');
      const complete = (): Promise<never> => {
        takes += 1;
        resolve();
        return new Promise(() => undefined);
      };
      const stream = async function* () {
        yield await complete();
      };
      bench.models.set('agent:writer', { ...silent, complete, stream });
      void bench.engineOf('first').run(request as never);
    });
    bench.models.set(
      'agent:writer',
      madeUpModel('north', () => `take ${++takes}`),
    );
    const next = await bench.call('context.generate_frame', vars.input, 'writer');
    expect(next.output).toMatchObject({ asked: true });
    const cut = (await bench.ledger.runs.list({})).find(({ status }) => status === 'running');
    const resumed = await bench.engineOf('second').resume(String(cut?.id));
    expect(resumed).toMatchObject({ output: { asked: false } });
    expect(takes).toBe(2);
  });

  it('fails if the file is gone, or its name cannot be used', async () => {
    const { bench, takes } = await counted();
    const path = join(bench.root, 'src/a.txt');
    rmSync(path);
    await expect(generate(bench, 'writer')).rejects.toMatchObject({ code: 'context.node_unknown' });
    writeFileSync(path, '');
    writeFileSync(Buffer.concat([Buffer.from(`${bench.root}/src/`), Buffer.from([0xff])]), 'x');
    bench.write('src/b\\c', 'the third file');
    symlinkSync('../elsewhere', join(bench.root, 'src/link'));
    await bench.scan();
    const unnamed = await generate(bench, 'writer', 'src/\\xff');
    expect(unnamed.run.failure).toMatchObject({
      code: 'context.invalid',
      message: expect.stringContaining('put-frame'),
    });
    expect(takes()).toBe(0);
    expect(await generate(bench, 'writer', 'src/b\\c')).toMatchObject({ frame: { content: 'take 1' } });
    expect(bench.asked()).toContain('the third file');
    await generate(bench, 'writer', 'src/link');
    expect(bench.asked()).toContain('../elsewhere');
  });

  it('rejects an invalid request at once, and leaves no run behind', async () => {
    const bench = await contextBench(FILES);
    await expect(generate(bench, 'writer', 'scr/a.txt')).rejects.toMatchObject({
      code: 'context.node_unknown',
    });
    await expect(generate(bench, 'reader')).rejects.toMatchObject({ code: 'context.not_allowed' });
    expect(await bench.ledger.runs.list({})).toEqual([]);
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

  it('is repeated by regeneration with the recorded prompt, and previewed with its cost', async () => {
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
