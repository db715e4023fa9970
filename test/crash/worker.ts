// A process that works on one run and kills itself (SIGKILL) before or after its n-th commit, or right after its n-th
// effect. Run by the crash walk; `node worker.js <workspace> <home> <command> <where> <n> [run]`.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { Oka } from '../../src/runtime/index.ts';
import { Doom } from '../support/doomed-store.ts';

const [workspace, home, command, where, count, run] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string?,
];
const doom = new Doom(where, count, () => appendFileSync(join(home, 'commits'), 'x'));
const oka = new Oka({ workspace, home, wrapEvents: doom.wrap });
const goal = 'write a brief of this folder to BRIEF.md';
const answer =
  command === 'do'
    ? await oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0 })
    : await oka.runs.resume({ run: run as string, by: 'test', repin: false, addBudgets: {}, patienceMs: 0 });
await oka.close();
process.stdout.write(JSON.stringify(answer));
