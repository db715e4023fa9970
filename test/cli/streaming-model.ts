// A model server in the wire format of OpenAI, whose answers stream as the caller writes them.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** One answer of the model. */
export class ModelReply {
  readonly asked: Asked;
  readonly #response: ServerResponse;

  constructor(asked: Asked, response: ServerResponse) {
    this.asked = asked;
    this.#response = response;
  }

  /** Whether the words are in the last messages: what a person said, or the result of a tool. */
  hears(words: string): boolean {
    return JSON.stringify(this.asked.messages.slice(-2)).includes(words);
  }

  /** Whether a tool was called since the last words of a person. */
  get hasResult(): boolean {
    return this.asked.messages.at(-1)?.role === 'tool';
  }

  say(content: string): void {
    this.#write({ role: 'assistant', content });
  }

  call(tool: string, input: object): void {
    const found = this.asked.tools?.find(({ function: { name } }) => name.replace(/[^a-z]/g, '.') === tool);
    const name = found?.function.name ?? tool;
    const call = {
      index: 0,
      id: 'call_1',
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    };
    this.#write({ tool_calls: [call] });
    this.end('tool_calls');
  }

  end(reason = 'stop'): void {
    const usage = { prompt_tokens: 1_200, completion_tokens: 80, total_tokens: 1_280 };
    this.#chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }], usage });
    this.#response.end('data: [DONE]\n\n');
  }

  #write(delta: object): void {
    this.#chunk({ choices: [{ index: 0, delta }] });
  }

  #chunk(fields: object): void {
    const chunk = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'gpt-5-mini', ...fields };
    this.#response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  }
}

export interface StreamingModel {
  readonly url: string;
  close(): void;
}

export async function streamingModel(reply: (reply: ModelReply) => unknown): Promise<StreamingModel> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    void json(request).then((asked) => reply(new ModelReply(asked as Asked, response)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A configuration whose default model is this server. */
export function configFor(url: string): object {
  const price = { input: 0.25, output: 2 };
  const gpt = { provider: 'openai', model: 'gpt-5-mini', base_url: url, api_key: { env: 'TEST_KEY' }, price };
  return { models: { gpt } };
}
