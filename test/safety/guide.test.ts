// The rows of docs/guides/safety.md, read from the page, and calls that try to get more out of them.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Json } from '../../src/kernel/index.ts';
import { compilePolicy } from '../../src/policy/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { request } from '../policy/kit.ts';

const [own = '', workspace = ''] = readFileSync(
  new URL('../../docs/guides/safety.md', import.meta.url),
  'utf8',
)
  .split('```markdown\n')
  .slice(1)
  .map((part) => part.split('```')[0] as string);

const policy = compilePolicy({
  user: { file: 'OKA_HOME/POLICY.md', text: own },
  project: [{ file: 'POLICY.md', text: workspace }],
  workspace: '/home/ann/garden',
});

function decide(name: string, input: object): string {
  const tool = builtInTools().find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return policy.decide(request(tool, input as Json)).decision;
}

const run = (line: string, more: object = {}): string =>
  decide('process.run', { argv: line.split(' '), timeout_seconds: 120, ...more });

it('has a policy for the person and one for the workspace', () => {
  expect(own.match(/^\| `/gm)).toHaveLength(4);
  expect(workspace.match(/^\| `/gm)).toHaveLength(4);
});

it('allows what the rows name', () => {
  for (const line of ['git status', 'git log --oneline', 'npm test'])
    expect([line, run(line)]).toEqual([line, 'allow']);
});

it.each([
  ['git push', {}],
  ['git status', { cwd: 'docs' }],
  ['git diff --output=.bashrc', {}],
  ['git -c core.fsmonitor=x status', {}],
  ['./git status', {}],
  ['npm test', { cwd: 'vendor' }],
  ['npm test', { network: true }],
  ['npm test', { network: { hosts: ['evil.test'] } }],
  ['npm test', { env: { NODE_OPTIONS: '--require ./x.js' } }],
  ['npm test', { secrets: { TOKEN: 'npm' } }],
  ['npm test', { stdin: 'x' }],
  ['npm test', { timeout_seconds: 3_600 }],
  ['npm testing', {}],
  ['./npm test', {}],
])('asks for %s with %j', (line, more) => {
  expect(run(line, more)).toBe('ask');
});

it('denies what the rows of the workspace deny, and a search that would read it', () => {
  expect(run('npm publish')).toBe('deny');
  for (const path of ['keys/a', './keys/a', 'keys/../keys/a', '/home/ann/garden/keys/a'])
    expect([path, decide('files.read', { path })]).toEqual([path, 'deny']);
  expect(decide('files.search', { pattern: 'x', path: '.' })).toBe('deny');
  expect(decide('http.fetch', { url: 'https://example.com.evil.test/' })).toBe('deny');
});
