// A process that works on one run and kills itself (SIGKILL) before or after its n-th commit, or right after its n-th
// effect. Run by the crash walk; `node worker.js <workspace> <home> <command> <where> <n> [run]`.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventStore } from '../../src/ledger/index.ts';
import { Oka } from '../../src/runtime/index.ts';

const [workspace, home, command, where, count, run] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string?,
];
let left = Number(count);

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal is delivered before this returns, but the compiler cannot know.
  for (;;);
}

/** Stands between engine and store, and counts commits. */
function doomed(store: EventStore): EventStore {
  return new Proxy(store, {
    get(target, name) {
      const member = Reflect.get(target, name, target) as unknown;
      if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member;
      return async (commit: Parameters<EventStore['commit']>[0]) => {
        left -= 1;
        if (left === 0 && where === 'before') die();
        const events = await target.commit(commit);
        appendFileSync(join(home, 'commits'), 'x');
        if (left === 0 && where === 'after') die();
        return events;
      };
    },
  });
}

const oka = new Oka({ workspace, home, wrapEvents: doomed });
const goal = 'write a brief of this folder to BRIEF.md';
const answer =
  command === 'do'
    ? await oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0 })
    : await oka.runs.resume({ run: run as string, by: 'test', repin: false, addBudgets: {}, patienceMs: 0 });
await oka.close();
process.stdout.write(JSON.stringify(answer));
