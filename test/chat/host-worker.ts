// A process that answers for agents until nothing is open, and kills itself (SIGKILL) before or after its n-th commit:
// `node host-worker.mjs <workspace> <home> <where> <n>`. Prints how many commits it has made.
import { Doom } from '../support/doomed-store.ts';

const [workspace, home, where, count] = process.argv.slice(2) as [string, string, string, string];
const doom = new Doom(where, count);

const { Oka } = await import('../../src/runtime/index.ts');
const oka = new Oka({ workspace, home, wrapEvents: doom.wrap });
const stop = new AbortController();
const rested = async (): Promise<void> => {
  if ((await oka.chat.list()).every(({ open }) => open === 0)) stop.abort();
};
const hosting = oka.chat.host({ signal: stop.signal, onTurn: () => void rested() });
await rested();
await hosting;
await oka.close();
process.stdout.write(JSON.stringify({ commits: doom.commits }));
