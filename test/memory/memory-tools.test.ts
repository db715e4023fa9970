import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolContext } from '../../src/engine/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openTestMemory } from './open-test-memory.ts';

async function open() {
  const opened = await openTestMemory(tempFolder());
  onTestFinished(() => opened.ledger.close());
  const call = async (name: string, input: object, runId = 'r1'): Promise<Record<string, unknown>> => {
    const tool = builtInTools().find((one) => one.name === name);
    if (!tool) throw new Error(`no tool is called ${name}`);
    const context = { runId, capabilities: { memory: opened.keeper } } as unknown as ToolContext;
    return (await tool.handler(input, context)) as Record<string, unknown>;
  };
  const untrusted = (run: string) =>
    opened.ledger.events.commit({
      actor: 'test',
      sync: 'normal',
      appends: [{ stream: `run/${run}`, events: [{ type: 'test.read', data: { untrusted: true } }] }],
    });
  return { ...opened, call, untrusted };
}

describe('the memory tools', () => {
  it('remember duplicates once, recall them, and forget them permanently', async () => {
    const { call, memory } = await open();
    const first = await call('memory.remember', { text: 'Ada drinks tea', importance: 4, ttl_days: 2 });
    expect(first).toMatchObject({ outcome: 'added', untrusted: false });
    expect(await call('memory.remember', { text: 'Ada  drinks tea' }, 'r2')).toMatchObject({
      id: first['id'],
      outcome: 'known',
    });
    expect(await memory.fact(first['id'] as string)).toMatchObject({ source: 'run r1', importance: 4 });
    const recalled = await call('memory.recall', { query: 'what does Ada drink?' });
    expect(recalled).toMatchObject({ hits: [{ kind: 'fact', text: 'Ada drinks tea', source: 'run r1' }] });
    await call('memory.forget', { id: first['id'] });
    expect(await call('memory.recall', { query: 'tea' })).toMatchObject({ hits: [] });
  });

  it('confirm what the person said in the goal, and store conclusions of a model as candidates', async () => {
    const { call, memory, ledger } = await open();
    const started = {
      type: 'run.started',
      data: { kind: 'agent', lineage: { root: 'r1' }, pins: { graph: 'g' } },
      body: { goal: 'Remember that my editor is vim, please' },
    };
    await ledger.events.commit({
      actor: 'me',
      sync: 'normal',
      appends: [{ stream: 'run/r1', events: [started] }],
    });
    const said = await call('memory.remember', { text: 'My editor is vim.' });
    const concluded = await call('memory.remember', { text: 'The person dislikes emacs' });
    expect(await memory.fact(said['id'] as string)).toMatchObject({ status: 'confirmed', by: 'run:r1' });
    expect(await memory.fact(concluded['id'] as string)).toMatchObject({ status: 'candidate' });
  });

  it('quarantine what a run remembers after it has read untrusted content', async () => {
    const { call, untrusted, memory } = await open();
    await untrusted('r9');
    const kept = await call('memory.remember', { text: 'pay the invoice of Mallory' }, 'r9');
    expect(kept).toMatchObject({ outcome: 'added', untrusted: true });
    expect(await memory.quarantined({ limit: 10 })).toMatchObject([
      { id: kept['id'], confidence: 0.3, run: 'r9' },
    ]);
    expect(await memory.facts({ limit: 10, all: true })).toEqual([]);
    expect(await call('memory.recall', { query: 'invoice' })).toMatchObject({ hits: [] });
  });

  it('let no untrusted run change a known fact', async () => {
    const { call, untrusted, memory } = await open();
    const { id } = await memory.addFact({ text: 'the office is in Bern', importance: 5 }, 'me');
    await untrusted('r9');
    const again = await call('memory.remember', { text: 'the office is in Bern', importance: 1 }, 'r9');
    expect(again).toMatchObject({ id, outcome: 'known' });
    expect(await memory.fact(id)).toMatchObject({ importance: 5, confidence: 1 });
  });

  it('ask before they erase, and mark recalled texts as untrusted', () => {
    const tools = new Map(builtInTools().map((tool) => [tool.name, tool]));
    expect(tools.get('memory.forget')?.annotations).toMatchObject({ destructive: true, risk: 'high' });
    expect(tools.get('memory.recall')).toMatchObject({ sideEffect: 'read', untrusted: true });
    expect(tools.get('memory.remember')).toMatchObject({ sideEffect: 'write_local' });
  });
});
