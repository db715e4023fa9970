// The same programs on a draft and in the plain sandbox, in turns, each in a workspace of its own: nothing, git, the tests of a small
// project, and a build that writes many files. On a draft includes comparing and applying what the program did. Called with an empty
// folder, how often the small ones run, and how many files the build writes.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileArtifactStore, WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { WorkspaceProcesses } from '../../src/adapters/processes/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { runOnDraft } from '../../src/tools/programs/run-on-draft.ts';
import { answer, quickest } from './workload.mjs';

const FILES = 200;
const TESTS = 5;
const BUILDS = 3;
const TIMEOUT_MS = 600_000;
const TEST =
  "import { test } from 'node:test';\ntest('adds', () => { if (1 + 1 !== 2) throw new Error(); });\n";
const BUILD = `import { mkdirSync, writeFileSync } from 'node:fs';
const count = Number(process.argv[2]);
for (let i = 0; i < count; i += 1) {
  if (i % 100 === 0) mkdirSync('out/' + i / 100, { recursive: true });
  writeFileSync('out/' + Math.floor(i / 100) + '/' + i + '.js', 'export const value = ' + i + ';\\n');
}`;

function makeWorkspace(folder) {
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (let i = 0; i < FILES; i++) writeFileSync(join(folder, 'src', `${i}.js`), `export const a = ${i};\n`);
  for (let i = 0; i < TESTS; i++) writeFileSync(join(folder, `${i}.test.mjs`), TEST);
  writeFileSync(join(folder, 'build.mjs'), BUILD);
  writeFileSync(join(folder, '.gitignore'), 'out\n');
  const git = (...args) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  return folder;
}

function openPlain(workspace) {
  const processes = new WorkspaceProcesses({
    workspace,
    toolFolders: [],
    sandbox: 'required',
    clock: systemClock,
  });
  return (argv) => processes.run({ argv, timeoutMs: TIMEOUT_MS }, new AbortController().signal);
}

function openOnDrafts(workspace, folder) {
  const processes = new WorkspaceProcesses({
    workspace,
    toolFolders: [],
    sandbox: 'required',
    clock: systemClock,
    drafts: join(folder, 'drafts'),
  });
  const { kind, why } = processes.drafts;
  if (kind === 'none') throw new Error(`programs get no drafts here: ${why}`);
  const capabilities = {
    processes,
    files: new WorkspaceFiles(workspace),
    artifacts: new FileArtifactStore(join(folder, 'objects'), systemClock),
  };
  let calls = 0;
  return (argv) => {
    calls += 1;
    return runOnDraft(
      { argv, timeoutMs: TIMEOUT_MS },
      { capabilities, idempotencyKey: `call-${calls}` },
      (request) => processes.run(request, new AbortController().signal),
    );
  };
}

const [, folder, times, files] = process.argv.slice(2);
const workspaces = {
  plain: makeWorkspace(join(folder, 'plain')),
  draft: makeWorkspace(join(folder, 'draft')),
};
const runs = { plain: openPlain(workspaces.plain), draft: openOnDrafts(workspaces.draft, folder) };

/** The quickest of several runs of both, after one that warms up. */
async function compare(argv, count) {
  const taken = { plain: [], draft: [] };
  for (let i = 0; i <= count; i++)
    for (const how of i % 2 === 0 ? ['plain', 'draft'] : ['draft', 'plain']) {
      rmSync(join(workspaces[how], 'out'), { recursive: true, force: true });
      const from = performance.now();
      const { exitCode, stderr } = await runs[how](argv);
      if (exitCode !== 0) throw new Error(`${argv.join(' ')} ended with ${exitCode}: ${stderr}`);
      if (i > 0) taken[how].push(performance.now() - from);
    }
  return { plainMs: quickest(taken.plain), draftMs: quickest(taken.draft) };
}

answer({
  true: await compare(['true'], Number(times)),
  git: await compare(['git', 'status'], Number(times)),
  tests: await compare(['node', '--test'], Number(times)),
  build: await compare(['node', 'build.mjs', files], BUILDS),
});
