// The worker threads, whose programs the build writes as files of their own.

import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ScanAnswer } from '../../../src/api/index.ts';
import { startDaemon } from '../installed-oka.ts';
import { type Area, callTool, succeed } from './area.ts';

const FOLDERS = 100;
const FILES = 100;
const CHILDREN = 150;

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
    expect(area.oka().recorded()).toContain('thread given nothing sent hashed');
  });

  test.each(['a command', 'the daemon'])(
    'the storing thread of %s stores large groups of commits',
    async (who) => {
      const workspace = await area.open();
      if (who === 'the daemon') await startDaemon(workspace);
      const child = { kind: 'agent', goal: 'read README.md' };
      const children = Array.from({ length: CHILDREN }, () => child);
      const output = await callTool(workspace, 'engine.run_children', { children, concurrency: CHILDREN });
      expect(JSON.stringify(output).split('Plans for beds and paths').length - 1).toBe(CHILDREN);
      if (who === 'the daemon') await succeed(workspace, 'down');
      await workspace.verified();
      // Only this thread is given the driver of the database.
      const told = area.oka().recorded();
      expect(told.filter((line) => /^thread given .*driver.* sent answer$/.test(line))).not.toEqual([]);
    },
  );
}
