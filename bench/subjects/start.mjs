// How long the command takes from its start to its end, beside a Node that does nothing. Called with a workload, a
// workspace that has runs, how often to start each, and the path of the command.

import { spawnSync } from 'node:child_process';
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
};

const [workload, ...args] = process.argv.slice(2);
workloads[workload](...args);
