import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { flood } from '../support/flood.ts';
import { toAnswer, Workspace } from './oka-process.ts';

const MIB = 1024 * 1024;

const TEXT = { choices: [{ index: 0, delta: { content: 'word '.repeat(100) } }] };
const EVENT = `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', ...TEXT })}\n\n`;

test('a run whose model never stops answering fails, and the process survives it', async () => {
  const floods: Promise<number>[] = [];
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    floods.push(flood(response, EVENT.repeat(100)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const workspace = Workspace.trusted({
    config: { models: { endless: { provider: 'openai-compatible', model: 'm', base_url } } },
  });
  const small = { NODE_OPTIONS: '--max-old-space-size=256' };
  const { exitCode, data } = toAnswer<RunAnswer>(
    await workspace.startIn(workspace.root, small, 'do', 'say something', '--json').ended,
  );
  expect({ exitCode, code: data.run.failure?.code }).toEqual({
    exitCode: 6,
    code: 'models.answer_too_large',
  });
  expect(data.run.failure?.message).toContain('max_answer_bytes');
  expect(floods).toHaveLength(1);
  expect(await floods[0]).toBeLessThan((64 + 16) * MIB);
  expect((await workspace.answer('runs', 'list')).exitCode).toBe(0);
});
