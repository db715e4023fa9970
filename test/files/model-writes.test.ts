import { describe, expect, it } from 'vitest';
import { agentKind } from '../../src/agent/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import type { ModelAnswer, ModelProvider, ModelRequest } from '../../src/models/index.ts';
import { AgentWorkspace } from '../support/agent-workspace.ts';
import { effectTool } from '../support/engine-kit.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { secretPairs } from './secret-files.ts';

type Turn = (content: string) => readonly [tool: string, input: Json];

/** Reads app.env, then makes one call with what it was shown. */
class ReadingModel implements ModelProvider {
  readonly name = 'reading';
  readonly shown: string[] = [];
  readonly #turns: Turn[];

  constructor(turn: Turn) {
    this.#turns = [() => ['files.read', { path: 'app.env' }], turn];
  }

  async complete({ messages }: ModelRequest): Promise<ModelAnswer> {
    const told = messages.filter(({ role }) => role === 'tool').at(-1);
    this.shown.push(JSON.stringify(messages));
    const content = this.#turns.length === 1 ? String(JSON.parse(String(told?.content)).content) : '';
    const turn = this.#turns.shift();
    const [tool, input] = turn?.(content) ?? ['', null];
    return {
      text: turn ? '' : 'Done.',
      toolCalls: turn ? [{ id: 'c', tool, input }] : [],
      usage: { inputTokens: 1, outputTokens: 1 },
      finish: turn ? 'tool_calls' : 'stop',
      model: 'm',
      provider: this.name,
      requestDigest: '0' as never,
    };
  }

  async *stream(request: ModelRequest) {
    yield { kind: 'answer' as const, answer: await this.complete(request) };
  }
}

async function ask(files: Readonly<Record<string, string>>, turn: Turn) {
  const model = new ReadingModel(turn);
  const sent: Json[] = [];
  const workspace = new AgentWorkspace(files, {
    kinds: [agentKind({ models: { find: async () => ({ provider: model, model: 'm' }) } })],
    policy: { version: 'all', decide: () => ({ decision: 'allow', rule: 'test', why: 'a test' }) },
    tools: [
      effectTool('mcp.write', (input) => {
        sent.push(input as Json);
        return 'written';
      }),
    ],
  });
  const run = await workspace.engine.run({ kind: 'agent', goal: 'tidy app.env', vars: { model: 'm' } });
  return { run, workspace, model, sent, failure: run.evidence.find(({ failure }) => failure)?.failure };
}

const APP =
  'DATABASE_URL=postgres://app:s3cretpw@localhost/db\nAPI_KEY=sk-proj-abcdefghijklmnopqrstuvwx1234\n';

describe('a model that writes what it has read', () => {
  it('keeps the secrets of the file, which it never sees', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const before = secretPairs(seededRandom(seed), false)
        .map(({ name, value }) => `${name}=${value}\n`)
        .join('');
      const { workspace, model, failure } = await ask({ 'app.env': before }, (content) => [
        'files.write',
        { path: 'app.env', content: `# first\n${content}PORT=1\n` },
      ]);
      expect(failure).toBeUndefined();
      expect(workspace.text('app.env')).toBe(`# first\n${before}PORT=1\n`);
      for (const [secret] of before.matchAll(/sk-proj-\w+|ghp_\w+|AKIA\w+/g))
        expect(model.shown.join()).not.toContain(secret);
    }
  });

  it('may edit the text around a secret', async () => {
    const { workspace, failure } = await ask({ 'app.env': APP }, (content) => [
      'files.edit',
      { path: 'app.env', old: content.split('\n')[1] ?? '', new: `# key\n${content.split('\n')[1]}` },
    ]);
    expect(failure).toBeUndefined();
    expect(workspace.text('app.env')).toBe(APP.replace('API_KEY', '# key\nAPI_KEY'));
  });

  it('does not put a mark into another file, nor copy the secret there', async () => {
    const { workspace, failure } = await ask({ 'app.env': APP, 'other.env': 'A=1\n' }, (content) => [
      'files.write',
      { path: 'other.env', content },
    ]);
    expect(failure).toMatchObject({ code: 'files.redacted_write' });
    expect(failure?.message).toContain('files.copy');
    expect(workspace.text('other.env')).toBe('A=1\n');
  });

  it('does not put a mark without its tag where two secrets stood', async () => {
    const two = `A=sk-proj-abcdefghijklmnopqrstuvwx1234\nB=sk-proj-abcdefghijklmnopqrstuvwx5678\n`;
    const { workspace, failure } = await ask({ 'app.env': two }, (content) => [
      'files.write',
      { path: 'app.env', content: content.replaceAll(/ [0-9a-f]{8}\]/g, ']') },
    ]);
    expect(failure).toMatchObject({ code: 'files.redacted_write' });
    expect(workspace.text('app.env')).toBe(two);
  });

  it('does not hand a mark to a tool that would use it as the secret', async () => {
    const { sent, failure } = await ask({ 'app.env': APP }, (content) => ['mcp.write', { text: content }]);
    expect(failure).toMatchObject({ code: 'engine.redacted_input' });
    expect(sent).toEqual([]);
  });
});

it('a text that only looks like a mark is written as it is', async () => {
  const text = 'See [redacted by the court] and [redacted api-key].\n';
  const { workspace, failure } = await ask({ 'app.env': text }, (content) => [
    'files.write',
    { path: 'app.env', content: `${content}More.\n` },
  ]);
  expect(failure).toBeUndefined();
  expect(workspace.text('app.env')).toBe(`${text}More.\n`);
});
