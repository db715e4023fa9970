// A process that scans a workspace, says something about each file, synthesizes, and after a change regenerates; it kills
// itself (SIGKILL) before or after its n-th commit. `node worker.mjs <workspace> <home> <where> <n> <agent words>`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStore } from '../../src/ledger/index.ts';
import { Oka } from '../../src/runtime/index.ts';

const [workspace, home, where, count, words] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
let left = Number(count);
let commits = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered before this returns, but the compiler cannot know.
  for (;;);
}

/** Stands between the context and the store, and counts commits. */
function doomed(store: EventStore): EventStore {
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown;
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member;
      return async (commit: Parameters<EventStore['commit']>[0]) => {
        left -= 1;
        commits += 1;
        if (left === 0 && where === 'before') die();
        const events = await target.commit(commit);
        if (left === 0 && where === 'after') die();
        return events;
      };
    },
  });
}

const oka = new Oka({ workspace, home, wrapEvents: doomed });
const as = { agent: 'user', by: 'worker' };
const large = `${words} `.repeat(4_000);
writeFileSync(join(workspace, 'src', 'deep', 'c.txt'), 'gamma');
await oka.context.scan({ force: false, by: 'worker' });
for (const node of ['a.txt', 'src/b.txt', 'src/deep/c.txt'])
  await oka.context.putFrame({ node, type: 'note', content: `${words} about ${node}`, ...as });
await oka.context.putFrame({ node: 'src/b.txt', type: 'long', content: large, ...as });
await oka.context.synthesize({ node: '.', type: 'note', policy: 'summarization', recursive: true, ...as });
writeFileSync(join(workspace, 'src', 'deep', 'c.txt'), 'changed');
await oka.context.scan({ force: false, by: 'worker' });
await oka.context.regenerate({ node: '.', recursive: true, dryRun: false, models: false, ...as });
await oka.close();
process.stdout.write(JSON.stringify({ commits }));
