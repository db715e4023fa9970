import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFrameWorker, FrameFolder } from './frame-processes.ts';

describe('a death while a frame is generated', () => {
  let asked = 0;
  const model = createServer((request, response) => {
    request.resume().on('end', () => {
      asked += 1;
      const piece = { index: 0, delta: { role: 'assistant', content: `take ${asked}` } };
      const end = { index: 0, delta: {}, finish_reason: 'stop' };
      response.setHeader('content-type', 'text/event-stream');
      for (const choice of [piece, end])
        response.write(`data: ${JSON.stringify({ id: '1', model: 'm', choices: [choice] })}\n\n`);
      response.end('data: [DONE]\n\n');
    });
  });

  beforeAll(async () => {
    await buildFrameWorker();
    await new Promise<void>((resolve) => void model.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void model.close());

  const folderWithModel = async (): Promise<FrameFolder> => {
    const folder = await FrameFolder.make();
    const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
    const models = { local: { provider: 'openai-compatible', model: 'm', base_url: url } };
    writeFileSync(join(folder.home, 'config.json'), JSON.stringify({ models, default_model: 'local' }));
    asked = 0;
    return folder;
  };
  const generate = (folder: FrameFolder, where: string, count: number) =>
    folder.work(where, count, 'What is it?', 'generate');

  it('repeats the request only if the answer was not recorded', async () => {
    const commits = (await generate(await folderWithModel(), 'never', 0)) ?? 0;
    expect(asked).toBe(1);
    const attempts: number[] = [];
    for (let count = 1; count <= commits; count++) {
      for (const where of ['before', 'after']) {
        const folder = await folderWithModel();
        expect(await generate(folder, where, count)).toBeUndefined();
        const heads = await folder.heads();
        const before = asked;
        await generate(folder, 'never', 0);
        expect(asked - before).toBe(heads['a.txt'] === undefined ? 1 : 0);
        attempts.push(asked);
        expect(await folder.framesOf('a.txt')).toBe(1);
      }
    }
    // Only a death between the answer and the very next commit loses it.
    expect(attempts.filter((times) => times === 2)).toHaveLength(1);
  });
});
