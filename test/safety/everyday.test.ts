// An hour of normal work, and the questions that it asks: two, each justified where it is counted.
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { BRIEF, Workspace } from '../cli/oka-process.ts';
import { sandboxTitle, withoutSandbox } from './sandbox-kit.ts';

const TESTS = JSON.stringify({ argv: ['node', '--test'] });
const POLICY =
  '| match | decision | why |\n|---|---|---|\n| `process.run and git is read` | allow | only looks |\n';

async function pageServer(): Promise<string> {
  const server = createServer((_, response) => response.end('the weather is fine'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.skipIf(withoutSandbox !== undefined)(sandboxTitle('an hour of normal work asks once'), async () => {
  const host = await pageServer();
  const workspace = new Workspace({
    files: { 'README.md': '# Garden\n\nBeds.\n', 'beds.test.mjs': TEST_FILE },
  });
  workspace.putAtHome('config.json', JSON.stringify({ allow_private: [host] }));
  workspace.putAtHome('POLICY.md', POLICY);
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', workspace.root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const questions: string[] = [];
  const call = async (tool: string, input: string) => {
    const { data } = await workspace.answer('tools', 'call', tool, input);
    const approval = data.run.waitingFor?.approval;
    if (approval === undefined) return data;
    questions.push(`${tool}: ${data.run.waitingFor?.detail ?? ''}`);
    return (await workspace.answer('approvals', 'approve', approval, '--remember', 'exact')).data;
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
  for (let time = 0; time < 3; time += 1)
    expect(await call('process.run', TESTS)).toMatchObject({ run: { status: 'completed' } });

  // A pull changes texts and code, and nothing that acts automatically.
  workspace.put('README.md', '# Garden\n\nBeds and paths.\n');

  expect((await workspace.answer('do', BRIEF)).exitCode).toBe(0);
  expect(await call('process.run', TESTS)).toMatchObject({ run: { status: 'completed' } });
  for (const argv of [
    ['git', 'status', '--short'],
    ['git', 'log', '--oneline'],
    ['git', 'diff'],
  ])
    expect(await call('process.run', JSON.stringify({ argv }))).toMatchObject({
      run: { status: 'completed' },
    });

  // The goal names the page.
  const { exitCode } = await workspace.answer('do', `fetch http://${host}/`);
  expect(exitCode).toBe(0);

  expect(questions).toEqual(['oka trust: hook']);
});

const TEST_FILE = "import { test } from 'node:test';\ntest('beds', () => {});\n";
