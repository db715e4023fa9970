// A process that answers for agents until nothing is open, and kills itself (SIGKILL) before or after its n-th commit:
// `node host-worker.mjs <workspace> <home> <where> <n>`. Prints how many commits it has made.
import type { EventStore } from '../../src/ledger/index.ts';

const [workspace, home, where, count] = process.argv.slice(2) as [string, string, string, string];
let commits = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered before this returns, but the compiler cannot know.
  for (;;);
}

/** Stands between Oka and the store, and counts commits. */
function doomed(store: EventStore): EventStore {
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown;
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member;
      return async (commit: Parameters<EventStore['commit']>[0]) => {
        commits += 1;
        if (where === 'before' && commits === Number(count)) die();
        const events = await target.commit(commit);
        if (where === 'after' && commits === Number(count)) die();
        return events;
      };
    },
  });
}

const { Oka } = await import('../../src/runtime/index.ts');
const oka = new Oka({ workspace, home, wrapEvents: doomed });
const stop = new AbortController();
const rested = async (): Promise<void> => {
  if ((await oka.chat.list()).every(({ open }) => open === 0)) stop.abort();
};
const hosting = oka.chat.host({ signal: stop.signal, onTurn: () => void rested() });
await rested();
await hosting;
await oka.close();
process.stdout.write(JSON.stringify({ commits }));
