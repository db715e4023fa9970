// A process that works on the context of a workspace and kills itself (SIGKILL) before or after its n-th commit: it scans, says
// something about each file, synthesizes, and after a change regenerates; or it does one of these alone, watches, or has a model
// asked about a file. `node worker.mjs <workspace> <home> <where> <n> <agent words> <task>`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Oka } from '../../src/runtime/index.ts';
import { Doom } from '../support/doomed-store.ts';

const [workspace, home, where, count, words, task] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const doom = new Doom(where, count);
const oka = new Oka({ workspace, home, wrapEvents: doom.wrap });
const as = { agent: 'user', by: 'worker' };

async function write(): Promise<void> {
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
}

async function generate(): Promise<void> {
  await oka.context.scan({ force: false, by: 'worker' });
  await oka.context.generate({ node: 'a.txt', type: 'note', prompt: words, agent: 'user' });
}

/** Until it is killed. */
async function watch(): Promise<void> {
  const regenerate = { node: '.', models: false, agent: 'user' };
  const { signal } = new AbortController();
  await oka.context.watch({ by: 'worker', signal, onChange: () => undefined, regenerate });
}

async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let times = 0; times < 10; times++) await work();
}

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  write,
  generate,
  watch,
  scan: () => repeat(() => oka.context.scan({ force: true, by: 'worker' })),
  regenerate: () =>
    repeat(async () => {
      await oka.context.scan({ force: false, by: 'worker' });
      await oka.context.regenerate({ node: '.', recursive: true, dryRun: false, models: false, ...as });
    }),
};
await tasks[task]?.();
await oka.close();
process.stdout.write(JSON.stringify({ commits: doom.commits }));
