// An hour of normal work, and the questions that it asks.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BRIEF, Workspace } from '../cli/oka-process.ts';
import { sandboxTitle, withoutSandbox } from './sandbox-kit.ts';

async function pageServer(): Promise<string> {
  const server = createServer((_, response) => response.end('the weather is fine'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.skipIf(withoutSandbox !== undefined)(sandboxTitle('an hour of normal work asks three times'), async () => {
  const host = await pageServer();
  const workspace = new Workspace({
    files: {
      'README.md': '# Garden\n\nBeds.\n',
      '.gitignore': '.oka\nout\nran\n',
      'beds.test.mjs': TEST_FILE,
      'build.mjs': BUILD,
      'format.mjs': FORMATTER,
    },
  });
  workspace.putAtHome('config.json', JSON.stringify({ allow_private: [host] }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', workspace.root, ...args], { encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.org');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const questions: string[] = [];
  const call = async (tool: string, input: string) => {
    const { data } = await workspace.answer('tools', 'call', tool, input);
    const approval = data.run.waitingFor?.approval;
    if (approval === undefined) return data;
    const reason = data.run.waitingFor?.detail.split('approval: ')[1];
    questions.push(`${JSON.parse(input).argv?.join(' ') ?? tool}: ${reason}`);
    return (await workspace.answer('approvals', 'approve', approval)).data;
  };
  const runs = async (...commands: readonly string[]) => {
    for (const command of commands) {
      const argv = command.split(' ');
      expect(await call('process.run', JSON.stringify({ argv }))).toMatchObject({
        run: { status: 'completed' },
        output: { exitCode: 0 },
      });
    }
  };

  await workspace.answer('init', '--trust');
  expect((await workspace.answer('do', BRIEF)).exitCode).toBe(0);

  // Agents and other instructions are text; policy judges the calls that they cause.
  workspace.put('.oka/agents/gardener.md', '---\nname: gardener\n---\nYou plan beds.\n');
  workspace.put('AGENTS.md', 'Write short sentences.\n');
  expect((await workspace.answer('agent', 'list')).exitCode).toBe(0);

  // 1. A hook runs a program at every run, so its owner approves it.
  workspace.put(
    '.oka/config.json',
    JSON.stringify({ hooks: [{ on: 'after_run', command: ['touch', 'ran'] }] }),
  );
  expect((await workspace.oka('do', BRIEF)).stderr).toContain(
    'so it does not act. Review it with: oka trust',
  );
  expect(workspace.has('ran')).toBe(false);
  await workspace.answer('trust', '--yes');
  questions.push('oka trust: hook');
  await workspace.answer('do', BRIEF);
  expect(workspace.has('ran')).toBe(true);

  // A program works on a draft of the workspace, and what it did can be undone.
  await runs('node --test', 'node build.mjs', 'node format.mjs', 'node --test');
  expect(readdirSync(join(workspace.root, 'out'))).toHaveLength(500);
  expect(git('diff', '--stat')).toContain('build.mjs');
  await runs('find . -name *.mjs', 'grep -rn Beds README.md', 'sed -i s/Beds/Flowers/ README.md');

  // Looking at a repository, staging, stashing and adding a branch change nothing that others build on.
  await runs('git status --short', 'git log --oneline', 'git diff', 'git add README.md', 'git branch draft');
  await runs('git commit -m flowers', 'git stash', 'git stash pop', 'git add -A');

  // A pull changes texts and code, and nothing that acts automatically.
  workspace.put('README.md', '# Garden\n\nBeds and paths.\n');

  expect((await workspace.answer('do', BRIEF)).exitCode).toBe(0);
  await runs('node --test', 'git diff', 'git commit -m formatted', 'git log --stat', 'git branch --list');
  expect(git('log', '--oneline').trim().split('\n')).toHaveLength(3);

  // The goal names the page.
  const { exitCode } = await workspace.answer('do', `fetch http://${host}/`);
  expect(exitCode).toBe(0);

  expect(questions).toEqual([
    'oka trust: hook',
    'git commit -m flowers: the program changed the repository',
    'git commit -m formatted: the program changed the repository',
  ]);
});

const TEST_FILE = "import { test } from 'node:test';\ntest('beds', () => {});\n";
const BUILD =
  "import fs from 'node:fs';\nfs.mkdirSync('out',{recursive:true});\nfor (let i=0;i<500;i+=1) fs.writeFileSync('out/'+i+'.js','export {};');\n";
const FORMATTER =
  "import fs from 'node:fs';\nfor (const name of fs.readdirSync('.').filter((name) => name.endsWith('.mjs'))) fs.writeFileSync(name, fs.readFileSync(name, 'utf8').replaceAll(',', ', '));\n";
