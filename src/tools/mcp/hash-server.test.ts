import { expect, test } from 'vitest';
import { describeChanges } from './describe-changes.ts';
import { faceOfLaunch, hashServer } from './hash-server.ts';
import type { ServerLaunch, ServerTool } from './types.ts';

const STDIO: ServerLaunch = {
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'server'],
  environment: { TOKEN: `\${vault:shop}`, LEVEL: 'info', NODE_OPTIONS: '--no-warnings' },
};
const HTTP: ServerLaunch = { transport: 'http', url: 'https://example.org', headers: { auth: 'word' } };
const TOOLS: readonly ServerTool[] = [
  { name: 'a', description: 'A.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  { name: 'b', inputSchema: { type: 'object' }, outputSchema: { type: 'object' } },
];

const hash = (launch: object, tools: readonly ServerTool[] = TOOLS): string =>
  hashServer(faceOfLaunch(launch as ServerLaunch), tools);
const [first, second] = TOOLS as readonly [ServerTool, ServerTool];

test.each([
  ['the order of tools', STDIO, [second, first]],
  ['the value of a variable', { ...STDIO, environment: { ...STDIO.environment, LEVEL: 'debug' } }, TOOLS],
])('an approval outlives a change of %s', (_, launch, tools) => {
  expect(hash(launch, tools)).toBe(hash(STDIO));
});

test('an approval stays valid when the value of a header changes', () => {
  expect(hash({ ...HTTP, headers: { auth: 'another' } })).toBe(hash(HTTP));
});

const environment = STDIO.environment;
test.each([
  ['the command', { ...STDIO, command: 'npm' }, TOOLS],
  ['an argument', { ...STDIO, args: ['-y', 'server@2'] }, TOOLS],
  ['the name of a variable', { ...STDIO, environment: { ...environment, MORE: '' } }, TOOLS],
  ['which secret it is given', { ...STDIO, environment: { ...environment, TOKEN: `\${vault:bank}` } }, TOOLS],
  ['what its program loads', { ...STDIO, environment: { ...environment, NODE_OPTIONS: '-r x' } }, TOOLS],
  ['the transport', HTTP, TOOLS],
  ['a description', STDIO, [{ ...first, description: 'A!' }, second]],
  ['an input', STDIO, [{ ...first, inputSchema: { type: 'object', required: ['x'] } }, second]],
  ['an output', STDIO, [first, { ...second, outputSchema: {} }]],
  ['a description to none', STDIO, [{ ...first, description: '' }, second]],
  ['an annotation', STDIO, [{ ...first, annotations: {} }, second]],
  ['a tool that is new', STDIO, [...TOOLS, { ...first, name: 'c' }]],
  ['a tool that is gone', STDIO, [first]],
])('an approval does not outlive a change of %s, which can be read', async (_, launch, tools) => {
  expect(hash(launch, tools as readonly ServerTool[])).not.toBe(hash(STDIO));
  const before = { launch: faceOfLaunch(STDIO), tools: TOOLS };
  const now = { launch: faceOfLaunch(launch as ServerLaunch), tools: tools as readonly ServerTool[] };
  expect(await describeChanges(before, now)).not.toEqual([]);
  expect(await describeChanges(before, before)).toEqual([]);
});

test('approvals and differences contain no values of ordinary variables', () => {
  const secret = { ...STDIO, environment: { ...environment, LEVEL: 'hunter2' } } as ServerLaunch;
  expect(JSON.stringify(faceOfLaunch(secret))).not.toContain('hunter2');
});

test('describes differences of schemas that have nothing in common', async () => {
  const wide = (word: string) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`${word}${n}`, {}])),
  });
  const [before, now] = ['x', 'y'].map((word) => ({
    launch: {},
    tools: [{ ...first, inputSchema: wide(word) }],
  }));
  const changes = await describeChanges(before as never, now as never);
  expect(changes[0]).toBe('tool a: input');
  expect(changes.join('\n')).toContain('y2999');
});
