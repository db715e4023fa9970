import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type {
  ApprovalView,
  ExplainAnswer,
  InitAnswer,
  ReplayAnswer,
  RunAnswer,
  UndoAnswer,
} from '../../src/api/index.ts';
import { Workspace, type WorkspaceOptions } from './oka-process.ts';
import { noTerminal, Terminal } from './terminal.ts';

type Turn = Readonly<Record<string, unknown>>;

const call = (tool: string, input: unknown): Turn => ({ tool, input });
const LOOK = { once: true, text: 'I look first.', tool_calls: [call('files.list', { path: '.' })] };

/** A trusted workspace whose default model plays these turns. */
function playing(turns: readonly Turn[], options: WorkspaceOptions = {}): Workspace {
  return Workspace.trusted({
    config: { models: { actor: { provider: 'scripted', script: 'script.json' } } },
    ...options,
    files: { ...options.files, 'script.json': JSON.stringify({ turns }) },
  });
}

/** Lets a person's own policy allow all that may be allowed. */
function allowAll(workspace: Workspace): void {
  workspace.putAtHome(
    'POLICY.md',
    '| match | decision | why |\n|---|---|---|\n| * and any input | allow | a test |\n',
  );
}

test('an agent with a model explores, acts under approval, checks, and can be explained, replayed and undone', async () => {
  const workspace = playing([
    LOOK,
    {
      once: true,
      text: 'I write it down.',
      tool_calls: [
        call('files.write', { path: 'NOTE.md', content: 'hello\n' }),
        call('process.run', { argv: ['cat', 'NOTE.md'], network: true }),
      ],
    },
    { text: 'The note stands.' },
  ]);
  const { exitCode, data } = await workspace.answer('do', 'leave a note');
  expect({ exitCode, status: data.run.status }).toEqual({ exitCode: 4, status: 'waiting' });
  const { data: open } = await workspace.answer<{ approvals: ApprovalView[] }>('approvals', 'list');
  expect(open.approvals).toMatchObject([
    { tool: 'process.run', arguments: { argv: ['cat', 'NOTE.md'], network: true } },
  ]);
  const approved = await workspace.answer('approvals', 'approve', open.approvals[0]?.id ?? '');
  expect(approved).toMatchObject({ exitCode: 0, data: { output: 'The note stands.' } });
  expect(workspace.text('NOTE.md')).toBe('hello\n');

  const { data: told } = await workspace.answer<ExplainAnswer>('runs', 'explain', data.run.id);
  expect(told.timeline.map(({ state }) => state)).toEqual([
    'intake',
    'explore',
    'decide',
    'act',
    'validate',
    'done',
  ]);
  expect(told.actions.filter(({ model }) => model)).toHaveLength(3);
  expect(told.actions[1]).toMatchObject({
    rationale: 'I look first.',
    model: { provider: 'scripted', manifest: { agent: 'anton', messages: [{ what: 'goal' }] } },
  });
  const replay = await workspace.answer<ReplayAnswer>(
    'runs',
    'replay',
    data.run.id,
    '--as',
    'decision',
    '--expect-equal',
  );
  expect(replay).toMatchObject({ exitCode: 0, data: { equal: true, notes: [] } });
  const full = await workspace.answer<ReplayAnswer>('runs', 'replay', data.run.id, '--as', 'full');
  expect(full.data.notes).toContain('process.run returned its recorded output');
  expect(workspace.text('NOTE.md')).toBe('hello\n');
  const undone = await workspace.answer<UndoAnswer>('runs', 'undo', data.run.id);
  expect(undone.data.changes).toMatchObject([{ tool: 'files.write', restored: true }]);
  expect(existsSync(workspace.at('NOTE.md'))).toBe(false);
  await workspace.verified();
});

test('a simulated agent calls its model and changes nothing', async () => {
  const workspace = playing([
    { once: true, tool_calls: [call('files.write', { path: 'NOTE.md', content: 'x' })] },
    { text: 'Would be done.' },
  ]);
  const { data } = await workspace.answer<RunAnswer>('do', 'leave a note', '--simulate');
  expect(data).toMatchObject({ output: 'Would be done.', wouldChange: [{ path: 'NOTE.md' }] });
  expect(existsSync(workspace.at('NOTE.md'))).toBe(false);
});

test('a run works without a model, and a model without answers fails the run with its own exit code', async () => {
  const workspace = playing([{ when: 'sing', text: 'La.' }], { files: { 'a.txt': 'a' } });
  expect((await workspace.answer('do', 'read a.txt', '--model', 'none')).data.output).toMatchObject({
    content: 'a',
  });
  const { exitCode, data } = await workspace.answer('do', 'dance');
  expect({ exitCode, code: data.run.failure?.code }).toEqual({ exitCode: 6, code: 'models.not_configured' });
  const nobody = await workspace.answer('do', 'sing', '--model', 'nobody');
  expect(nobody).toMatchObject({ exitCode: 6, data: { run: { budgets: { used: { steps: 1 } } } } });
  expect(nobody.data.run).not.toHaveProperty('budgets.used.model_calls');
});

test('an agent file sets model, persona, tools and budgets', async () => {
  const persona =
    '---\nname: ada\nprovider: scripted\nscript: ada.json\ntools: [files.read]\nbudgets:\n  steps: 7\n---\nYou are Ada.\n';
  const workspace = playing([{ text: 'I am Anton.' }], {
    files: {
      'ada.json': JSON.stringify({ turns: [{ agent: 'ada', text: 'I am Ada.' }] }),
      '.oka/agents/ada.md': persona,
      'AGENTS.md': 'Be brief.',
    },
  });
  expect((await workspace.answer('do', 'who are you')).data.output).toBe('I am Anton.');
  const { data } = await workspace.answer('do', 'who are you', '--agent', 'ada');
  expect(data).toMatchObject({ output: 'I am Ada.', run: { budgets: { limits: { steps: 7 } } } });
  const { data: told } = await workspace.answer<ExplainAnswer>('runs', 'explain', data.run.id);
  expect(told.actions.find(({ model }) => model)?.model?.manifest).toMatchObject({
    agent: 'ada',
    tools: ['files.read', 'agent.ask_person', 'agent.give_up'],
    instructions: ['AGENTS.md'],
  });
  expect(await workspace.refusal('do', 'who are you', '--agent', 'adda')).toMatchObject({
    error: { code: 'agent.unknown', message: expect.stringContaining('Did you mean "ada"?') },
  });
});

test('an agent reads a skill, runs a graph and uses its output', async () => {
  const graph = {
    id: 'double',
    name: 'Double it',
    version: 1,
    start: 'begin',
    nodes: [
      { node_id: 'begin', type: 'start', next: 'twice' },
      { node_id: 'twice', type: 'transform', expression: '{ "value": n * 2 }', next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
  };
  const workspace = playing(
    [
      { once: true, tool_calls: [call('skills.read', { skill: 'counting' })] },
      { once: true, tool_calls: [call('graph.run', { graph: 'double', input: { n: 21 } })] },
      { text: 'It is 42.' },
    ],
    {
      files: {
        '.oka/graphs/double.json': JSON.stringify(graph),
        '.oka/skills/counting/SKILL.md':
          '---\nname: counting\ndescription: How to count.\n---\nUse the graph double.\n',
      },
    },
  );
  const { data } = await workspace.answer('do', 'double 21');
  expect(data).toMatchObject({ output: 'It is 42.' });
  const { data: told } = await workspace.answer<ExplainAnswer>('runs', 'explain', data.run.id);
  const gave = Object.fromEntries(told.actions.flatMap(({ tool, output }) => (tool ? [[tool, output]] : [])));
  expect(gave['skills.read']).toMatchObject({ text: expect.stringContaining('Use the graph double.') });
  expect(gave['graph.run']).toEqual({ value: 42 });
});

describe('the reference servers of the Model Context Protocol', () => {
  const server = (name: string): string =>
    fileURLToPath(
      new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
    );

  test('are called by an agent, each call under policy and recorded', async () => {
    const workspace = playing(
      [
        { once: true, tool_calls: [call('mcp.everything.echo', { message: 'hello' })] },
        { once: true, tool_calls: [call('mcp.files.read_text_file', { path: 'a.txt' })] },
        {
          once: true,
          tool_calls: [
            call('mcp.memory.create_entities', {
              entities: [{ name: 'oka', entityType: 'runtime', observations: ['remembers'] }],
            }),
            call('mcp.memory.search_nodes', { query: 'oka' }),
          ],
        },
        { text: 'All three answered.' },
      ],
      { files: { 'a.txt': 'kept in a file' } },
    );
    const mcpServers = {
      everything: { command: process.execPath, args: [server('everything')] },
      files: { command: process.execPath, args: [server('filesystem'), workspace.root] },
      memory: {
        command: process.execPath,
        args: [server('memory')],
        env: { MEMORY_FILE_PATH: workspace.at('memory.jsonl') },
        sandbox: { write: ['.'] },
      },
    };
    workspace.put('.mcp.json', JSON.stringify({ mcpServers }));
    for (const name of Object.keys(mcpServers))
      expect((await workspace.answer('mcp', 'test', name, '--approve')).exitCode).toBe(0);

    // The first answer is a stranger's, so every later change outside asks, whatever policy says.
    allowAll(workspace);
    let { data } = await workspace.answer('do', 'use your servers');
    for (let asked = 0; data.run.status === 'waiting' && asked < 9; asked++)
      ({ data } = await workspace.answer('approvals', 'approve', data.run.waitingFor?.approval ?? ''));
    expect(data).toMatchObject({ output: 'All three answered.' });
    const { data: told } = await workspace.answer<ExplainAnswer>('runs', 'explain', data.run.id);
    const gave = told.actions.flatMap(({ tool, outcome, output }) =>
      tool && outcome === 'ok' && output ? [[tool, JSON.stringify(output)]] : [],
    );
    expect(gave.map(([tool]) => tool)).toEqual([
      'mcp.everything.echo',
      'mcp.files.read_text_file',
      'mcp.memory.create_entities',
      'mcp.memory.search_nodes',
    ]);
    expect(gave[0]?.[1]).toContain('hello');
    expect(gave[1]?.[1]).toContain('kept in a file');
    expect(gave[3]?.[1]).toContain('remembers');
    expect(
      told.actions.some(({ verdicts }) => verdicts.some((said) => said.includes('untrusted content'))),
    ).toBe(true);
    await workspace.verified();
  });
});

test('init --model stores the model in the user configuration', async () => {
  const workspace = new Workspace();
  const { exitCode, data } = await workspace.answer<InitAnswer & { model: string }>(
    'init',
    '--trust',
    '--model',
    'ollama/llama3.2',
  );
  expect({ exitCode, model: data.model }).toEqual({ exitCode: 0, model: 'ollama/llama3.2' });
  expect(JSON.parse(workspace.homeText('config.json'))).toEqual({
    models: { ollama: { provider: 'ollama', model: 'llama3.2' } },
    default_model: 'ollama',
  });
  expect(existsSync(workspace.at('.oka/config.json'))).toBe(false);
  expect(await workspace.refusal('init', '--model', 'telepathy/strong')).toMatchObject({
    error: {
      code: 'models.not_configured',
      message: expect.stringContaining('Unknown provider "telepathy". Providers: openai'),
    },
  });
});

describe.skipIf(noTerminal !== undefined)(`on a terminal${noTerminal ? ` (${noTerminal})` : ''}`, () => {
  test('init offers the models of a local Ollama', async () => {
    const ollama = createServer(({ url = '' }, response) => {
      response.setHeader('content-type', 'application/json');
      const message = { role: 'assistant', content: '{"city": "Paris"}' };
      const answer = {
        model: 'llama3.2:latest',
        created_at: '2030-01-01T00:00:00Z',
        message,
        done: true,
        done_reason: 'stop',
      };
      const said = url.endsWith('/chat') ? answer : { models: [{ name: 'llama3.2:latest' }] };
      response.end(`${JSON.stringify(said)}\n`);
    });
    await new Promise<void>((resolve) => ollama.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void ollama.close());
    const { port } = ollama.address() as AddressInfo;
    const workspace = new Workspace();
    const env = { OLLAMA_HOST: `http://127.0.0.1:${port}` };
    const terminal = new Terminal(workspace, ['init'], { env });
    await terminal.shows(/Trust the files/);
    terminal.type('y');
    await terminal.sees(/Which model should agents use[\s\S]*● Skip[\s\S]*Ollama[^\n]*/);
    for (const _ of ['OpenAI', 'Anthropic', 'Ollama']) terminal.press('Down');
    await terminal.sees(/● Ollama \(running, 1 model\)/);
    terminal.press('Enter');
    await terminal.sees(/Default model for all workspaces: ollama\/llama3\.2:latest/);
    expect(await terminal.exitCode()).toBe(0);
    expect(JSON.parse(workspace.homeText('config.json'))).toMatchObject({
      models: { 'ollama/llama3.2:latest': { provider: 'ollama', model: 'llama3.2:latest', tools: false } },
      default_model: 'ollama/llama3.2:latest',
    });
  });

  test('text streams as the model writes it, each answer on its own lines', async () => {
    const workspace = playing([LOOK, { text: 'All is there.' }]);
    const terminal = new Terminal(workspace, ['do', 'look around']);
    const shown = stripVTControlCharacters(await terminal.shows(/\[exit 0\]/));
    expect(shown).toMatch(/I look first\.\r?\n\s+listed \./);
  });
});

test('a goal is split into tasks that are executed, checked, replanned and executed', async () => {
  const plan = (content: string): Turn => ({
    role: 'planner',
    once: true,
    json: {
      goal: 'a note',
      tasks: [
        {
          id: 'write',
          title: `write "${content}" to NOTE.md`,
          depends_on: [],
          acceptance: [{ file_contains: { path: 'NOTE.md', text: 'second' } }],
        },
      ],
    },
  });
  const write = (content: string): Turn => ({
    role: 'executor',
    when: `write "${content}"`,
    once: true,
    tool_calls: [call('files.write', { path: 'NOTE.md', content })],
  });
  const workspace = playing([
    plan('first'),
    plan('second'),
    write('first'),
    write('second'),
    { role: 'executor', text: 'Written.' },
  ]);
  const { exitCode, data } = await workspace.answer('do', 'leave a note', '--autonomy', 'guided');
  expect({ exitCode, failure: data.run.failure }).toEqual({ exitCode: 0, failure: undefined });
  expect(data).toMatchObject({
    run: { kind: 'assistant', status: 'completed' },
    output: { plans: 2, unmet: [] },
  });
  expect(workspace.text('NOTE.md')).toBe('second');
  const replay = await workspace.answer<ReplayAnswer>('runs', 'replay', data.run.id, '--as', 'decision');
  expect(replay.data.differences).toEqual([]);
  await workspace.verified();
});
