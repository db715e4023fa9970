import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ROOM, writeRoom } from './chat-room.ts';

const HOUR_MS = 3_600_000;

test('a turn that waits for its model is answered once, wherever its host was killed', async () => {
  const worker = await bundleWorker(join(import.meta.dirname, 'host-worker.ts'));
  const seen = new Set<string>();
  // A process without other work exits while its only turn waits.
  for (let commit = 1, isKilled = true; isKilled; commit++) {
    const [root, home] = [join(tempFolder(), 'work'), join(tempFolder(), 'home')];
    mkdirSync(root);
    writeRoom(root, home, { ann: { turns: [{ error: 'rate_limited' }] } });
    const before = new Oka({ workspace: root, home });
    await before.chat.create({ name: ROOM, by: 'ann' });
    await before.chat.send({ conversation: ROOM, text: '@ann how are you?', by: 'ann' });
    await before.close();
    const { signal } = spawnSync(process.execPath, [worker, root, home, 'after', String(commit)]);
    isKilled = signal === 'SIGKILL';
    writeFileSync(join(root, 'scripts/ann.json'), JSON.stringify({ turns: [{ text: 'Done at last.' }] }));
    const after = new Oka({ workspace: root, home, clock: new ManualClock(systemClock.now() + HOUR_MS) });
    const last = (await after.ledger.tail({ last: 1, follow: false })[Symbol.asyncIterator]().next()).value;
    seen.add(last?.type ?? '');
    const stop = new AbortController();
    await new Promise<void>((resolve) => {
      void after.chat.host({ signal: stop.signal, onTurn: ({ outcome }) => outcome === 'done' && resolve() });
    });
    stop.abort();
    const { messages } = await after.chat.view({ conversation: ROOM });
    expect(messages.map(({ content }) => content)).toEqual(['@ann how are you?', 'Done at last.']);
    expect(await after.ledger.verify({ full: true })).toMatchObject({ faults: [] });
    await after.close();
  }
  for (const type of ['run.deferred', 'turn.parked']) expect([...seen]).toContain(type);
});
