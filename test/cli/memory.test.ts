import { expect, test } from 'vitest';
import type { AddedFactView, DaySummary, FactView, Found, MemoryStatsAnswer } from '../../src/api/index.ts';
import { BRIEF, toAnswer, toRefusal, Workspace } from './oka-process.ts';

/** A command that gets text on its standard input. */
function given(workspace: Workspace, input: string, ...args: readonly string[]) {
  return workspace.okaWith({ input }, ...args, '--json');
}

const addFact = async (workspace: Workspace, ...args: readonly string[]): Promise<AddedFactView> =>
  (await workspace.answer<AddedFactView>('memory', 'fact', 'add', ...args)).data;

const search = async (workspace: Workspace, ...args: readonly string[]): Promise<Found> =>
  (await workspace.answer<Found>('memory', ...args)).data;

test('a fact is added, found, superseded and deleted from every file', async () => {
  const workspace = Workspace.trusted();
  const options = ['--importance', '4', '--namespace', 'people', '--ttl-days', '30', '--source', 'chat'];
  const added = await addFact(workspace, 'Ada prefers zanzibarquux tea', '--key', 'drink', ...options);
  expect(added).toMatchObject({
    outcome: 'added',
    superseded: [],
    fact: { importance: 4, namespace: 'people' },
  });
  expect(added.fact).not.toHaveProperty('index');
  const { hits, degraded } = await search(
    workspace,
    'retrieve',
    'what does Ada prefer?',
    '--namespace',
    'people',
  );
  expect({ hits, degraded }).toMatchObject({
    degraded: false,
    hits: [{ kind: 'fact', id: added.fact.id, text: 'Ada prefers zanzibarquux tea', source: 'chat' }],
  });
  expect(hits[0]).toMatchObject({ score: expect.any(Number), why: { keyword: expect.any(Number) } });

  const next = await addFact(workspace, 'Ada prefers coffee', '--namespace', 'people', '--key', 'drink');
  expect(next.superseded).toEqual([added.fact.id]);
  const got = await workspace.answer<{ fact: FactView }>('memory', 'fact', 'get', added.fact.id);
  expect(got.data.fact).toMatchObject({ supersededBy: next.fact.id });
  const listed = await workspace.answer<{ facts: FactView[] }>('memory', 'fact', 'list');
  expect(listed.data.facts.map(({ id }) => id)).toEqual([next.fact.id]);

  expect((await workspace.answer('memory', 'fact', 'delete', added.fact.id)).exitCode).toBe(0);
  await workspace.verified();
  expect(workspace.text('.oka/run_ledger.jsonl')).not.toContain('zanzibar');
  expect(workspace.text('.oka/oka.db')).not.toContain('zanzibar');
  const again = await workspace.refusal('memory', 'fact', 'delete', added.fact.id);
  expect(again).toMatchObject({ exitCode: 3, error: { code: 'memory.unknown' } });
});

test('deleting a fact lists what else states it, and erases or keeps that as the options say', async () => {
  const workspace = Workspace.trusted();
  const goal = (text: string) => workspace.answer('do', `remember that ${text}`);
  for (const text of ['the zurq gate is open', 'the fjord gate is shut']) await goal(text);
  const { data } = await workspace.answer<{ facts: FactView[] }>('memory', 'fact', 'list');
  const [shut, open] = ['fjord', 'zurq'].map(
    (word) => data.facts.find(({ text }) => text.includes(word))?.id as string,
  );
  const asked = await workspace.refusal('memory', 'fact', 'delete', open as string);
  expect(asked.error.message).toContain('nothing was erased');
  expect(asked.error.message).toContain('run/');
  const gone = await workspace.oka('memory', 'fact', 'delete', open as string, '--everything');
  expect(gone.stdout).toMatch(/Erased run .+\n.*erased everywhere/);
  const kept = await workspace.oka('memory', 'fact', 'delete', shut as string, '--keep-others');
  expect(kept.stdout).toMatch(/Kept {3}run .+, which still states it/);
  expect(kept.stdout).not.toContain('everywhere');
  await workspace.verified();
  const mirror = workspace.text('.oka/run_ledger.jsonl');
  expect([mirror.includes('zurq'), mirror.includes('fjord')]).toEqual([false, true]);
});

test('memory is rebuilt from the mirror, with its index', async () => {
  const workspace = Workspace.trusted();
  const { fact } = await addFact(workspace, 'the garden gate is green');
  const gone = await addFact(workspace, 'the garden code is 1234');
  await workspace.answer('memory', 'fact', 'delete', gone.fact.id);
  for (const from of ['table', 'mirror']) {
    expect((await workspace.answer('ledger', 'rebuild', '--from', from)).exitCode).toBe(0);
    const { hits } = await search(workspace, 'fact', 'search', 'garden');
    expect(hits.map(({ id }) => id)).toEqual([fact.id]);
  }
  await workspace.verified();
});

test('days count runs and episodes', async () => {
  const workspace = Workspace.trusted();
  await workspace.answer('do', BRIEF);
  const lines = [
    {
      kind: 'episode',
      text: 'we spoke about the brief',
      conversation: 'c',
      at: Date.parse('2026-01-02T10:00Z'),
    },
    { kind: 'fact', text: 'briefs are short', importance: 5 },
  ];
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  expect(toAnswer(await given(workspace, input, 'memory', 'import', '-')).data).toEqual({
    facts: 1,
    episodes: 1,
    known: 0,
  });
  const { data } = await workspace.answer<{ days: DaySummary[] }>('memory', 'daily', 'days', '5');
  expect(data.days).toEqual([
    { day: expect.any(String), episodes: 0, runs: 1 },
    { day: '2026-01-02', episodes: 1, runs: 0 },
  ]);
  const kinds = (await search(workspace, 'retrieve', 'brief')).hits.map(({ kind }) => kind);
  expect(kinds[0]).toBe('fact');
  expect(kinds.sort()).toEqual(['episode', 'fact', 'run']);
  const { hits } = await search(workspace, 'daily', 'search', 'brief', '--day', '2026-01-02');
  expect(hits.map(({ kind }) => kind)).toEqual(['episode']);
  const questions = [
    { id: 'q1', query: 'brief', limit: 1 },
    { id: 2, query: 'brief', day: '2026-01-02', namespace: 'default' },
  ];
  const asked = questions.map((question) => JSON.stringify(question)).join('\n');
  const answered = await given(workspace, asked, 'memory', 'retrieve', '--file', '-', '--limit', '5');
  const answers = answered.stdout.trim().split('\n');
  expect(answers.map((line) => JSON.parse(line))).toMatchObject([
    { id: 'q1', query: 'brief', degraded: false, hits: [{ kind: 'fact' }] },
    { id: 2, query: 'brief', hits: [{ kind: 'fact' }, { kind: 'episode' }] },
  ]);
  const stats = await workspace.answer<MemoryStatsAnswer>('memory');
  expect(stats.data).toMatchObject({ facts: { live: 1 }, episodes: 1, conversations: 1 });

  const exported = (await workspace.oka('memory', 'export')).stdout;
  const other = Workspace.trusted();
  other.put('memory.jsonl', exported);
  expect((await other.answer('memory', 'import', 'memory.jsonl')).data).toEqual({
    facts: 1,
    episodes: 1,
    known: 0,
  });
  expect((await other.oka('memory', 'export')).stdout).toBe(exported);
});

test('a secret of the vault is redacted from a fact', async () => {
  const workspace = Workspace.trusted();
  const value = 'hunter2-hunter2';
  toAnswer(await given(workspace, value, 'vault', 'add', 'door', '--key-source', 'file'));
  const { fact } = await addFact(workspace, `the door opens with ${value}`);
  expect(fact.text).not.toContain(value);
  expect(workspace.text('.oka/run_ledger.jsonl')).not.toContain(value);
});

test.each([
  ['an empty fact', ['fact', 'add', ' '], 3, 'memory.invalid'],
  ['an importance of 9', ['fact', 'add', 'a', '--importance', '9'], 3, 'memory.invalid'],
  ['an importance of "much"', ['fact', 'add', 'a', '--importance', 'much'], 2, 'cli.usage'],
  ['a fact for no days', ['fact', 'add', 'a', '--ttl-days', '0'], 3, 'memory.invalid'],
  ['a fact that nobody knows', ['fact', 'get', 'nobody'], 3, 'memory.unknown'],
  ['a day that is none', ['retrieve', 'a', '--day', '2026-02-30'], 2, 'cli.usage'],
  ['a file that is not there', ['import', 'nowhere.jsonl'], 2, 'cli.usage'],
])('%s is rejected', async (_what, args, exitCode, code) => {
  const workspace = Workspace.trusted();
  expect(await workspace.refusal('memory', ...args)).toMatchObject({ exitCode, error: { code } });
});

test('a mistyped command gets a suggestion', async () => {
  const workspace = Workspace.trusted();
  const { exitCode, error } = await workspace.refusal('memory', 'retreive', 'tea');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 2, code: 'cli.usage' });
  expect(error.message).toContain('retrieve');
});

test('an untrusted workspace is not written, and can be read', async () => {
  const workspace = Workspace.trusted();
  await addFact(workspace, 'the gate is green');
  const stranger = new Workspace({ root: workspace.root, files: {} });
  const refused = toRefusal(await stranger.oka('memory', 'fact', 'add', 'a', '--json'));
  expect(refused).toMatchObject({ exitCode: 4, error: { code: 'config.not_trusted' } });
  expect((await search(stranger, 'retrieve', 'gate')).hits).toHaveLength(1);
});
