// A model server on this machine, and a workspace in which its model has a price.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { PROGRAM, Workspace, type WorkspaceOptions } from './oka-process.ts';

interface Asked {
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

/** A model server that counts requests; each answer costs 1,000 input tokens and what `output` says. */
export async function modelServer(output: (asked: Asked) => number | Promise<number>) {
  const requests: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    const answer = async (): Promise<void> => {
      const asked = JSON.parse(body) as Asked;
      requests.push(asked);
      const usage = { prompt_tokens: 1_000, completion_tokens: await output(asked), total_tokens: 0 };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const choice = { index: 0, delta: { role: 'assistant', content: 'It is done.' } };
      const chunk = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' };
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [choice] })}\n\n`);
      const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage };
      response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
    };
    request.on('end', () => void answer());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

interface ModelSettings {
  readonly url: string;
  readonly price?: { readonly input: number; readonly output: number };
  readonly more?: Readonly<Record<string, unknown>>;
  readonly files?: WorkspaceOptions['files'];
}

/** A workspace whose default model is at this address. It is not local in name, so that its price must be known. */
export function workspaceWith({ url, price, more = {}, files }: ModelSettings): Workspace {
  const entry = { provider: 'openai', model: 'm', base_url: url, api_key: { env: 'TEST_KEY' } };
  const program = { command: [process.execPath, PROGRAM], env: { TEST_KEY: 'k' } };
  const workspace = Workspace.trusted({ program, ...(files === undefined ? {} : { files }) });
  const models = { house: { ...entry, ...(price && { price }), max_output_tokens: 500 } };
  workspace.putAtHome('config.json', JSON.stringify({ models, ...more }));
  return workspace;
}
