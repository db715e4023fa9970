// The worker threads, whose programs the build writes as files of their own.

import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ScanAnswer } from '../../../src/api/index.ts';
import type { Area } from './area.ts';

const FOLDERS = 100;
const FILES = 100;

export function threadsArea(area: Area): void {
  test('worker threads hash the files of a large folder, and a second scan reads only what changed', async () => {
    const workspace = await area.open({ files: {} });
    for (let folder = 0; folder < FOLDERS; folder++) {
      workspace.put(`f${folder}/0.txt`, `${folder}`);
      for (let file = 1; file < FILES; file++)
        writeFileSync(workspace.at(`f${folder}/${file}.txt`), `${folder} ${file}`);
    }
    const first = await workspace.answer<ScanAnswer>('context', 'scan');
    expect(first.data).toMatchObject({ added: expect.any(Number), read: FOLDERS * FILES });
    workspace.put('f7/7.txt', 'changed');
    const second = await workspace.answer<ScanAnswer>('context', 'scan');
    expect(second.data).toMatchObject({ read: 1 });
    expect(second.data.root).not.toBe(first.data.root);
    const third = await workspace.answer<ScanAnswer>('context', 'scan', '--force');
    expect(third.data.root).toBe(second.data.root);
    expect(area.recorded()).toContain('thread given nothing sent hashed');
  });
}
