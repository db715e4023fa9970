// A process that applies retention to a workspace and kills itself (SIGKILL) at a point of it;
// `node retention-worker.js <workspace> <home> <command> <point> <n>`. `populate` makes the workspace 100 days ago, `maintain`
// looks after it, `settle` does so twice and says what is left. Points: `before` or `after` the n-th commit, `before-` or
// `after-` the n-th call of `archive`, `erase`, `rewrite` (of the mirror) or `delete` (of an artifact).
import { FileArtifactStore } from '../../src/adapters/files/index.ts';
import { LedgerArchive } from '../../src/adapters/sqlite/index.ts';
import { MirrorFile } from '../../src/adapters/workspace/mirror-file.ts';
import { Oka } from '../../src/runtime/index.ts';
import { Doom, die } from '../support/doomed-store.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';

const DAY_MS = 86_400_000;
const [workspace, home, command, point, count] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const doom = new Doom(point, count);
const calls: Record<string, number> = {};

/** Counts the calls of a method, and kills the process before or after one of them. */
function watch(prototype: object, name: string): void {
  const method = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
  Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]) {
    calls[name] = (calls[name] ?? 0) + 1;
    const isMeant = calls[name] === Number(count);
    if (isMeant && point === `before-${name}`) die();
    const answer = method.apply(this, args);
    if (isMeant && point === `after-${name}`) die();
    return answer;
  });
}

watch(LedgerArchive.prototype, 'archive');
watch(LedgerArchive.prototype, 'erase');
watch(MirrorFile.prototype, 'rewrite');
watch(FileArtifactStore.prototype, 'delete');

const clock = new ShiftedClock(command === 'populate' ? -100 * DAY_MS : 0);
const oka = new Oka({ workspace, home, clock, wrapEvents: doom.wrap });

async function maintain() {
  const { outcome, report } = await oka.maintenance.maintain({ dryRun: false });
  const { archivedRuns = 0, erasedEpisodes = 0 } = report?.retention ?? {};
  return { outcome, archivedRuns, erasedEpisodes };
}

/** Two old trees, an old episode, and a young run that waits. */
async function populate(): Promise<void> {
  await oka.init({ trust: true });
  const budgets = {};
  await oka.do({ goal: 'write "an old secret" to out.txt', simulate: false, budgets, patienceMs: 0 });
  await oka.do({ goal: 'read main.js', simulate: false, budgets, patienceMs: 0 });
  await oka.do({ goal: 'wait for the event "go"', simulate: false, budgets, patienceMs: 0 });
  await oka.memory.recordEpisodes([{ text: 'an old secret, said', conversation: 'c' }], 'me');
}

async function settle() {
  const outcomes = [await maintain(), await maintain()];
  const runs = await oka.runs.list({ limit: 50 });
  const { faults } = await oka.ledger.verify({ full: true });
  return {
    outcomes,
    statuses: runs.filter(({ kind }) => kind !== 'maintenance').map(({ status }) => status),
    open: runs.filter(({ kind, endedAt }) => kind === 'maintenance' && endedAt === undefined),
    episodes: (await oka.memory.stats()).episodes,
    faults,
  };
}

const answer =
  command === 'populate' ? await populate() : command === 'settle' ? await settle() : await maintain();
await oka.close();
process.stdout.write(JSON.stringify({ answer, commits: doom.commits, calls }));
