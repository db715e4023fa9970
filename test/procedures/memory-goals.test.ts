import { describe, expect, it, onTestFinished } from 'vitest';
import { Oka } from '../../src/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function openOka(): Promise<Oka> {
  const oka = new Oka({ workspace: tempFolder(), home: tempFolder() });
  onTestFinished(() => oka.close());
  await oka.init({ trust: true });
  return oka;
}

const pursue = (oka: Oka, goal: string) => oka.do({ goal, budgets: {}, simulate: false, patienceMs: 0 });

describe('memory in plain words', () => {
  it('stores a statement verbatim, answers from it, and says when nothing is known', async () => {
    const oka = await openOka();
    const stored = await pursue(oka, 'please remember that my editor is vim.');
    expect(stored).toMatchObject({ run: { status: 'completed' }, output: { text: 'my editor is vim' } });
    expect((await oka.memory.listFacts({ limit: 10 })).map(({ text }) => text)).toEqual(['my editor is vim']);
    await pursue(oka, 'remember: the office is in Bern');
    for (const goal of [
      'what is my editor?',
      "What's my editor",
      'which editor do I use?',
      'do you remember my editor?',
    ])
      expect((await pursue(oka, goal)).output).toMatchObject({
        known: true,
        facts: [{ text: 'my editor is vim' }],
        report: expect.stringContaining('my editor is vim (remembered on '),
      });
    for (const goal of ['what is my shell?', 'what do you remember about emacs', 'where do I live?'])
      expect(await pursue(oka, goal)).toMatchObject({
        run: { status: 'completed' },
        output: { known: false, facts: [], report: expect.stringContaining('Nothing is remembered about') },
      });
    expect((await pursue(oka, 'list what you remember')).output).toMatchObject({
      facts: [{ text: 'the office is in Bern' }, { text: 'my editor is vim' }],
    });
  });

  it('erases the fact with the exact words, and asks when there is none', async () => {
    const oka = await openOka();
    for (const text of ['my editor is vim', 'vim runs in tmux']) await pursue(oka, `remember that ${text}`);
    const unknown = await pursue(oka, 'forget that my shell is fish');
    expect(unknown.run).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringContaining('nothing was erased') },
    });
    const asked = await pursue(oka, 'forget about vim');
    expect(asked.run.waitingFor).toMatchObject({ what: 'answer' });
    const exact = await pursue(oka, 'forget that my editor is vim');
    // Erasing cannot be undone, so policy asks.
    expect(exact.run.waitingFor).toMatchObject({ what: 'approval' });
    expect(await oka.memory.listFacts({ limit: 10 })).toHaveLength(2);
    const { approval: id = '' } = exact.run.waitingFor ?? {};
    expect((await oka.approvals.approve({ id, by: 'ada' }, 0)).output).toMatchObject({
      text: 'my editor is vim',
    });
    expect((await oka.memory.listFacts({ limit: 10 })).map(({ text }) => text)).toEqual(['vim runs in tmux']);
  });

  it('stores nothing in a simulation', async () => {
    const oka = await openOka();
    const { run } = await oka.do({
      goal: 'remember that my editor is vim',
      budgets: {},
      simulate: true,
      patienceMs: 0,
    });
    expect(run.status).toBe('completed');
    expect(await oka.memory.listFacts({ limit: 10 })).toEqual([]);
  });
});
