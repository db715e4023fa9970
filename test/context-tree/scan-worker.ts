// A process that scans or watches a workspace and kills itself (SIGKILL) at a place of its way to the ledger, or goes on
// until it is killed. `node scan-worker.mjs <workspace> before|after|never scan|watch`
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import type { EventStore } from '../../src/ledger/index.ts';
import { ContextTree } from '../../src/runtime/context/context-tree.ts';
import { SqliteLedger } from '../../src/runtime/index.ts';

const [workspace, where, what] = process.argv.slice(2) as [
  string,
  'before' | 'after' | 'never',
  'scan' | 'watch',
];

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered before this returns, but the compiler cannot know.
  for (;;);
}

const folder = new WorkspaceFolder(workspace);
const ledger = new SqliteLedger(folder, {
  clock: systemClock,
  random: systemRandom,
  owners: { self: `${process.pid}`, isAlive: () => false },
  wrapEvents: (store: EventStore) =>
    new Proxy(store, {
      get(target, member) {
        const value = Reflect.get(target, member, target) as unknown;
        if (member !== 'commit') return typeof value === 'function' ? value.bind(target) : value;
        return async (commit: Parameters<EventStore['commit']>[0]) => {
          if (where === 'before') die();
          const events = await target.commit(commit);
          if (where === 'after') die();
          return events;
        };
      },
    }),
});
const tree = new ContextTree({
  folder,
  clock: systemClock,
  ledger: () => ledger,
  requireTrust: () => undefined,
  writable: async () => ledger,
  warn: () => undefined,
});
const tell = (text: string): void => void process.stdout.write(`${text}\n`);
if (what === 'scan') {
  tell('scanning');
  tell((await tree.scan({ force: true, by: 'worker' })).root);
} else {
  const { signal } = new AbortController();
  await tree.watch({ by: 'worker', signal, onReady: tell, onChange: ({ root }) => tell(root) });
}
await ledger.close();
process.exit(0);
