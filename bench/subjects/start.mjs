// How long the command takes from its start to its end, and to its first output, beside a Node that does nothing. Called with a workload, a
// workspace that has runs, how often to start each, and the path of the command.

import { spawn, spawnSync } from 'node:child_process';
import { median } from '../report.mjs';
import { answer } from './workload.mjs';

const workloads = {
  start(workspace, times, command) {
    const commands = {
      nodeMs: ['-e', '0'],
      versionMs: [command, '--version'],
      listMs: [command, '-C', workspace, 'runs', 'list'],
    };
    const taken = { nodeMs: [], versionMs: [], listMs: [] };
    // The first turn only brings the files into memory.
    for (let turn = 0; turn <= Number(times); turn++) {
      for (const [name, args] of Object.entries(commands)) {
        const from = performance.now();
        const { status, stderr } = spawnSync(process.execPath, args);
        const ms = performance.now() - from;
        if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
        if (turn > 0) taken[name].push(ms);
      }
    }
    answer(Object.fromEntries(Object.entries(taken).map(([name, values]) => [name, median(values)])));
  },

  /** The command that shows something last, of those that people type often. */
  async first(workspace, times, command) {
    const shown = await measureFirst(
      [['-e', 'process.stdout.write("0")'], ...FIRST.map((words) => [command, '-C', workspace, ...words])],
      Number(times),
    );
    const [nodeMs, ...all] = shown;
    const firstMs = Math.max(...all);
    answer({ nodeMs, firstMs, slowest: FIRST[all.indexOf(firstMs)].join(' ') });
  },
};

const FIRST = [
  ['--help'],
  ['version'],
  ['status'],
  ['runs', 'list'],
  ['runs', 'list', '--help'],
  ['graph', 'list'],
  ['tools', 'list'],
  ['policy', 'show'],
  ['memory'],
  ['config', 'list'],
  ['logs'],
  ['do', 'find large files', '--simulate'],
];

/** The median time from the start of each to its first output. */
async function measureFirst(commands, times) {
  const taken = commands.map(() => []);
  for (let turn = 0; turn <= times; turn++) {
    for (const [i, args] of commands.entries()) {
      const ms = await firstOutput(args);
      if (turn > 0) taken[i].push(ms);
    }
  }
  return taken.map(median);
}

function firstOutput(args) {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let ms;
    const onOutput = () => {
      ms ??= performance.now() - from;
    };
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    child.on('error', reject);
    child.on('close', () =>
      ms === undefined ? reject(new Error(`node ${args.join(' ')} printed nothing`)) : resolve(ms),
    );
  });
}

const [workload, ...args] = process.argv.slice(2);
workloads[workload](...args);
