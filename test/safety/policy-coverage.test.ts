import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/kernel/index.ts';
import { explainPolicy, readPolicy } from '../../src/policy/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { policyOf } from '../policy/good-policies.ts';
import { policyFrom, request } from '../policy/kit.ts';

function call(name: string, input: Json) {
  const tool = builtInTools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return request(tool, input);
}

const decide = (row: string, name: string, input: Json) =>
  policyFrom({ user: [`${row} | allow`] }).decide(call(name, input));
const npm = { argv: ['npm', 'test'], timeout_seconds: 120 };
const ROW = 'process.run and argv starts with npm test';

describe('an allow row for a program', () => {
  it('covers the command alone, in the workspace', () => {
    for (const more of [
      {},
      { cwd: '.' },
      { cwd: './' },
      { network: false },
      { env: {} },
      { timeout_seconds: 5 },
    ])
      expect(decide(ROW, 'process.run', { ...npm, ...more }).decision).toBe('allow');
  });

  it.each([
    ['cwd', { cwd: 'docs' }, 'cwd in docs/**'],
    ['cwd', { cwd: 'docs' }, 'path in docs/**'],
    ['cwd', { cwd: 'docs' }, 'any cwd'],
    ['env.NODE_ENV', { env: { NODE_ENV: 'x' } }, 'input.env.NODE_ENV is x'],
    ['env.NODE_ENV', { env: { NODE_ENV: 'x' } }, 'any env'],
    ['secrets.TOKEN', { secrets: { TOKEN: 'npm' } }, 'input.secrets.TOKEN is npm'],
    ['network', { network: true }, 'network is true'],
    ['stdin', { stdin: 'text' }, 'any stdin'],
    ['timeout_seconds', { timeout_seconds: 600 }, 'timeout at most 600'],
    ['timeout_seconds', { timeout_seconds: 600 }, 'any input'],
  ])('does not cover %s, unless it names it: %j with "%s"', (field, more, condition) => {
    const input = { ...npm, ...more } as Json;
    const verdict = decide(ROW, 'process.run', input);
    expect(verdict).toMatchObject({ decision: 'ask', rule: 'destructive' });
    expect(verdict.why).toContain(`OKA_HOME/POLICY.md:3 does not cover ${field}`);
    expect(decide(`${ROW} and ${condition}`, 'process.run', input).decision).toBe('allow');
  });

  it('does not cover another value of a field that it names', () => {
    expect(decide(`${ROW} and cwd in docs/**`, 'process.run', { ...npm, cwd: 'src' }).decision).toBe('ask');
    expect(
      decide(`${ROW} and timeout at most 600`, 'process.run', { ...npm, timeout_seconds: 601 }).decision,
    ).toBe('ask');
    const both = { ...npm, env: { NODE_ENV: 'x', OTHER: 'y' } };
    expect(decide(`${ROW} and input.env.NODE_ENV is x`, 'process.run', both).why).toContain(
      'does not cover env.OTHER',
    );
  });

  it('names every field that is not covered, also for a row without conditions', () => {
    const input = { ...npm, cwd: 'docs', network: true, secrets: { A: 'b' } };
    for (const row of ['process.run', '*', 'process.*'])
      expect(decide(row, 'process.run', input).why).toContain('does not cover cwd, secrets.A, network');
    expect(decide('* and any input', 'process.run', input).decision).toBe('allow');
  });

  it('is shown by explain with what it does not cover', () => {
    const policy = policyFrom({ user: [`${ROW} | allow`] });
    const { decision, matches } = explainPolicy(policy, call('process.run', { ...npm, network: true }));
    expect(decision).toBe('ask');
    expect(matches).toMatchObject([{ decided: false, note: 'does not apply: it does not cover network' }]);
  });
});

describe('an allow row for a request', () => {
  const get = { url: 'https://api.test/x', method: 'GET', headers: {} };
  it('covers a read from the host, and nothing else that it does not name', () => {
    const row = 'http.fetch and host is api.test';
    expect(decide(row, 'http.fetch', get)).toMatchObject({ decision: 'allow', rule: 'OKA_HOME/POLICY.md:3' });
    const post = { ...get, method: 'POST', body: 'x' };
    expect(decide(row, 'http.fetch', post)).toMatchObject({ decision: 'ask' });
    expect(decide(`${row} and method is POST`, 'http.fetch', post).decision).toBe('allow');
    const secret = { ...get, headers: { Authorization: '{{vault.key}}' } };
    expect(decide(row, 'http.fetch', secret).why).toContain('does not cover headers.Authorization');
    expect(decide(`${row} and any headers`, 'http.fetch', secret).decision).toBe('allow');
  });
});

describe('the rows of the guide', () => {
  const guide = policyFrom({
    user: [
      'process.run and argv starts with git status | allow',
      'process.run and argv starts with git diff | allow',
    ],
  });
  const git = (line: string, more: object = {}) =>
    guide.decide(call('process.run', { argv: line.split(' '), timeout_seconds: 120, ...more } as Json));

  it('allow the commands that they name', () => {
    for (const line of ['git status', 'git status --short', 'git diff', 'git diff --stat HEAD~1 -- docs'])
      expect([line, git(line).decision]).toEqual([line, 'allow']);
  });

  it('ask in another folder, where an agent may have written a repository', () => {
    expect(git('git status', { cwd: 'docs' }).why).toContain('does not cover cwd');
  });

  it.each([
    'git diff --output=.bashrc',
    'git diff --output .bashrc',
    'git diff --outpu=x',
    'git diff -- --output=x',
    'git diff --no-index /etc/passwd x',
    'git diff /etc/passwd a',
    'git diff ../../a b',
    'git diff --ext-diff',
    'git diff --textconv',
    'git status -v',
    'git status --column=x --ignore-submodules=none',
    'git -c core.fsmonitor=x status',
  ])('ask for %s', (line) => {
    expect(git(line).decision).toBe('ask');
  });
});

describe('the class of read-only git commands', () => {
  const policy = policyFrom({
    user: ['process.run and git is read | allow', 'process.run and git is write | deny'],
  });
  const git = (...argv: readonly string[]) =>
    policy.decide(call('process.run', { argv, timeout_seconds: 120 } as Json)).decision;

  it.each([
    'git log -p',
    'git show HEAD',
    'git branch --list',
    'git --no-pager log',
    'git --version',
    'git stash list',
  ])('allows %s', (line) => {
    expect(git(...line.split(' '))).toBe('allow');
  });

  it.each([
    'git push',
    'git branch new',
    'git branch -D main',
    'git branch -m new',
    'git tag v2',
    'git tag -d v1',
    'git stash',
    'git stash drop',
    'git remote add x y',
    'git remote update',
    'git reflog expire --all',
    'git config user.name x',
    'git config --unset user.name',
    'git config --edit',
    'git worktree add x',
    'git show --output=x',
    'git log --output=x',
    'git shortlog --output=x',
    'git log --show-signature',
    'git grep -O one',
    'git cat-file --textconv HEAD:a',
    'git cat-file --filters HEAD:a',
    'git cat-file --batch',
    'git ls-files --recurse-submodules',
    'git rev-parse --parseopt',
    'git describe --dirty',
    'git submodule status',
    'git ls-remote ext::x',
    'git archive HEAD -o x',
    'git bisect run x',
    'git unknown',
    'git',
  ])('does not contain %s', (line) => {
    expect(git(...line.split(' '))).toBe('deny');
  });

  it('does not contain another program of that name, and its deny row does', () => {
    expect(git('/tmp/git', 'status')).toBe('deny');
    expect(git('GIT', 'status')).toBe('deny');
    expect(git('npm', 'test')).toBe('ask');
  });
});

it('"any" is refused in a row that does not allow', () => {
  const { problems } = readPolicy({
    file: 'POLICY.md',
    text: policyOf('| `process.run and any env` | ask | x |'),
  });
  expect(problems).toMatchObject([{ line: 3, message: expect.stringContaining('only in an allow row') }]);
});
