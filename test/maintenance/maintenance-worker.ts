// A process that looks after a workspace and kills itself (SIGKILL) before or after its n-th commit, or before it puts its
// n-th derived file in place; `node maintenance-worker.js <workspace> <home> <command> <where> <n>`. `populate` makes the
// workspace, `maintain` looks after it, `settle` does so twice and says what is left.
import { syncBuiltinESMExports } from 'node:module';
import { Doom, die } from '../support/doomed-store.ts';

const [workspace, home, command, where, count] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
let renames = 0;
const doom = new Doom(where, count);

const fs = process.getBuiltinModule('node:fs');
const rename = fs.renameSync;
fs.renameSync = (from, to) => {
  const isDerived = /[/\\](?:brain|memory)[/\\][^/\\]+\.md$/.test(String(to));
  if (isDerived && where === 'file') {
    renames += 1;
    if (renames === Number(count)) die();
  }
  rename(from, to);
};
syncBuiltinESMExports();

const { Oka } = await import('../../src/runtime/index.ts');
const oka = new Oka({ workspace, home, wrapEvents: doom.wrap });

const maintain = async (): Promise<string> => (await oka.maintenance.maintain({ dryRun: false })).outcome;

/** Something for every step to do. */
async function populate(): Promise<void> {
  await oka.init({ trust: true });
  const words = [
    'Remember that the release is on Friday. My editor is vim.',
    'We use pnpm. My editor is emacs.',
  ];
  for (const said of words) {
    const goal = 'search for "stop" in main.js';
    const { run } = await oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0 });
    await oka.runs.correct(run.id, said, 'me');
  }
  const turn = { namespace: 'talks', conversation: 'c', source: 'person:ada' };
  await oka.memory.recordEpisodes([{ text: 'I prefer short answers.', ...turn }], 'ada');
  await oka.memory.addFact({ text: 'over at once', ttlMs: 1, by: 'me' });
  await oka.memory.addFact({ text: 'Tea is served.', importance: 4, by: 'me' });
  await oka.memory.addFact({ text: 'tea is served', by: 'me' });
}

async function settle() {
  const outcomes = [await maintain(), await maintain()];
  const runs = await oka.runs.list({ limit: 50 });
  const { faults } = await oka.ledger.verify({ full: true });
  return {
    outcomes,
    facts: (await oka.memory.listFacts({ limit: 100 })).map(({ text }) => text).sort(),
    open: runs.filter(({ kind, endedAt }) => kind === 'maintenance' && endedAt === undefined),
    faults,
  };
}

const answer =
  command === 'populate' ? await populate() : command === 'settle' ? await settle() : await maintain();
await oka.close();
process.stdout.write(JSON.stringify({ answer, commits: doom.commits }));
