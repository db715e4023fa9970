// A tree of files: scanned by Oka, and the bare work in it. Called with a workload, the tree and a folder of its own.

import { lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { changeNodeIndex, openNodeIndex } from '../../src/adapters/sqlite/index.ts';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { fileSystemTime, scanWorkspace } from '../../src/adapters/workspace-tree/index.ts';
import { IgnoreRules } from '../../src/context/index.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import { ContextTree } from '../../src/runtime/context/context-tree.ts';
import { SqliteLedger } from '../../src/runtime/ledger/sqlite-ledger.ts';
import { answer, quickest } from './workload.mjs';

const TIMES = 3;
const ROWS = 'rows.db';

/** Milliseconds that the work takes. */
async function time(work) {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

async function times(work, before = () => undefined) {
  const taken = [];
  for (let i = 0; i < TIMES; i++) {
    await before(i);
    taken.push(await time(work));
  }
  return quickest(taken);
}

/** A workspace whose files are the tree's, and whose own folder is not. */
function openTree(tree, own) {
  const folder = new WorkspaceFolder(own);
  mkdirSync(folder.directory, { recursive: true });
  const ledger = new SqliteLedger(folder, {
    clock: systemClock,
    random: systemRandom,
    owners: { self: 'bench', isAlive: () => false },
  });
  return new ContextTree({
    folder: {
      workspace: tree,
      directory: folder.directory,
      database: folder.database,
      objects: folder.objects,
    },
    clock: systemClock,
    ledger: () => ledger,
    requireTrust: () => undefined,
    writable: async () => ledger,
    warn: () => undefined,
  });
}

const HASH_WALK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { readdirSync, openSync, readSync, closeSync } = require('node:fs');
  const { hash } = require('node:crypto');
  const buffer = Buffer.allocUnsafeSlow(1 << 20);
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = folder + '/' + entry.name;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) {
        const file = openSync(path, 'r');
        hash('sha256', buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0)));
        closeSync(file);
      }
    }
  };
  for (const folder of workerData) walk(folder);
  parentPort.postMessage('done');`;

/** Two threads, each with every second folder of the tree. */
function hashWalk(tree) {
  const folders = readdirSync(tree, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(tree, name));
  return Promise.all(
    [0, 1].map(
      (half) =>
        new Promise((resolve, reject) => {
          const workerData = folders.filter((_, i) => i % 2 === half);
          new Worker(HASH_WALK, { eval: true, workerData }).on('exit', resolve).on('error', reject);
        }),
    ),
  );
}

function statWalk(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    lstatSync(path);
    if (entry.isDirectory()) statWalk(path);
  }
}

function pathsOf(folder, inside = '', found = []) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    found.push([path, entry.name, entry.isDirectory()]);
    if (entry.isDirectory()) pathsOf(`${folder}/${entry.name}`, path, found);
  }
  return found;
}

/** A row as a scan finds it: in fields, which storing makes into bytes. */
function unpacked(row) {
  const { path, id, stamp, rules, ignoreFiles, names, kinds, contents, stamps, skipped, leftOut } = row;
  return { path, id, stamp, rules, ignoreFiles, names, kinds, contents, stamps, skipped, leftOut };
}

const workloads = {
  async scan(tree, own) {
    const context = openTree(tree, own);
    const scan = () => context.scan({ force: false, by: 'bench' });
    const coldMs = await time(scan);
    const unchangedMs = await times(scan);
    const peakMb = process.resourceUsage().maxRSS / 1_024;
    const part = 'area-1/part-3';
    const file = join(tree, part, readdirSync(join(tree, part))[0]);
    const edit = (i) => writeFileSync(file, `${own} ${i} ${performance.now()}`);
    const changedMs = await times(scan, edit);
    const editMs = await times(() => context.update({ by: 'bench', folders: new Set([part]) }), edit);
    answer({ coldMs, unchangedMs, changedMs, editMs, peakMb });
  },

  async bare(tree, own) {
    const hashMs = await time(() => hashWalk(tree));
    const statMs = await times(() => statWalk(tree));
    const paths = pathsOf(tree);
    const rules = IgnoreRules.none.with('', 'node_modules/\n*.log\n/build\n!keep.log\n**/cache/**\n');
    const ignoreMs = await time(() => {
      for (const [path, name, isFolder] of paths) rules.leaveOut(path, name, isFolder);
    });
    // The rows that `inserts` stores.
    const index = changeNodeIndex(join(own, ROWS));
    await scanWorkspace({ workspace: tree, index, now: fileSystemTime(own) });
    index.commit();
    answer({ hashMs, statMs, ignoreMs });
  },

  /** In a process that has stored nothing before, as one that scans for the first time has not. */
  async inserts(_tree, own) {
    const first = openNodeIndex(join(own, ROWS));
    const rows = [first.folder(''), ...first.foldersBelow('')].map(unpacked);
    first.close();
    const index = changeNodeIndex(join(own, 'second.db'));
    const insertMs = await time(() => {
      for (const row of rows) index.put(row);
      index.commit();
    });
    answer({ insertMs });
  },
};

const [workload, ...args] = process.argv.slice(2);
await workloads[workload](...args);
process.exit(0);
