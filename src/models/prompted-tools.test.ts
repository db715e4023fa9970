import { expect, it } from 'vitest';
import { collectAnswer, digestOfRequest } from './collect-answer.ts';
import { modelError } from './model-error.ts';
import type { ModelProvider } from './ports.ts';
import { withPromptedTools } from './prompted-tools.ts';
import type { ModelAnswer, ModelRequest } from './types.ts';

const signal = new AbortController().signal;
const TOOLS = [{ name: 'files.read', description: 'Reads a file.', inputSchema: { type: 'object' } }];
const REQUEST: ModelRequest = { model: 'm', messages: [{ role: 'user', content: 'hello' }], tools: TOOLS };

/** A provider that rejects tools and says these texts in pieces of four characters. */
function toolless(...texts: string[]): { provider: ModelProvider; asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  const next = (request: ModelRequest): ModelAnswer => {
    asked.push(request);
    if (request.tools) throw modelError('models.tools_unsupported', 'm cannot call tools.');
    const text = texts.shift() ?? '';
    const requestDigest = digestOfRequest(request);
    return { text, toolCalls: [], usage: {}, finish: 'stop', model: 'm', provider: 'p', requestDigest };
  };
  const provider: ModelProvider = {
    name: 'p',
    complete: async (request) => next(request),
    async *stream(request) {
      const answer = next(request);
      for (const [text] of answer.text.matchAll(/[\s\S]{1,4}/g)) yield { kind: 'text', text };
      yield { kind: 'answer', answer };
    },
  };
  return { provider, asked };
}

it('describes tools in the prompt after the provider has rejected them, and reads the call', async () => {
  const { provider, asked } = toolless('{"tool": "files.read", "input": {"path": "a"}}', 'The end.');
  const able = withPromptedTools(provider, { always: false });
  const seen: string[] = [];
  const answer = await collectAnswer(able.stream(REQUEST, signal), (text) => seen.push(text));
  expect(seen).toEqual([]);
  expect(answer).toMatchObject({
    text: '',
    finish: 'tool_calls',
    toolCalls: [{ tool: 'files.read', input: { path: 'a' } }],
    recovered: [{ code: 'models.tools_unsupported' }],
    requestDigest: digestOfRequest(REQUEST),
  });
  const [call] = answer.toolCalls;
  const messages = [
    ...REQUEST.messages,
    { role: 'assistant' as const, content: '', toolCalls: answer.toolCalls },
    { role: 'tool' as const, content: 'text of a', toolCallId: call?.id ?? '' },
  ];
  const last = await collectAnswer(able.stream({ ...REQUEST, messages }, signal), (text) => seen.push(text));
  expect(seen.join('')).toBe('The end.');
  expect(last).toMatchObject({ text: 'The end.', toolCalls: [] });
  expect(last.recovered).toBeUndefined();
  expect(asked.map(({ tools }) => tools !== undefined)).toEqual([true, false, false]);
  expect(asked[2]?.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'hello'],
    ['assistant', '{"tool":"files.read","input":{"path":"a"}}'],
    ['user', 'Result of files.read:\ntext of a'],
  ]);
});

it('treats text about tools as text, and a fenced call as a call', async () => {
  const { provider } = toolless('Use {"tool": "other"} maybe.', '```json\n{"tool": "files.read"}\n```');
  const able = withPromptedTools(provider, { always: true });
  expect(await able.complete(REQUEST, signal)).toMatchObject({
    text: 'Use {"tool": "other"} maybe.',
    toolCalls: [],
  });
  expect(await able.complete(REQUEST, signal)).toMatchObject({
    toolCalls: [{ tool: 'files.read', input: {} }],
  });
});

it('reads the requested JSON when the answer is not a call', async () => {
  const { provider } = toolless('{"city": "Paris"}');
  const output = { name: 'city', schema: { type: 'object', required: ['city'] } };
  const answer = await withPromptedTools(provider, { always: true }).complete({ ...REQUEST, output }, signal);
  expect(answer).toMatchObject({ json: { city: 'Paris' }, toolCalls: [] });
});
