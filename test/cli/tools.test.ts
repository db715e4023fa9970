import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { RunAnswer, ToolDetails, ToolView } from '../../src/api/index.ts';
import { toAnswer, Workspace } from './oka-process.ts';
import { noTerminal, Terminal } from './terminal.ts';

test('tools list shows every tool with its effects', async () => {
  const { exitCode, data } = await Workspace.trusted().answer<{ tools: ToolView[] }>('tools', 'list');
  expect(exitCode).toBe(0);
  const byName = new Map(data.tools.map((tool) => [tool.name, tool]));
  expect(byName.get('files.read')).toEqual({
    name: 'files.read',
    description: expect.any(String),
    sideEffect: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, cacheable: false, risk: 'none' },
    source: 'built-in',
  });
  expect(byName.get('files.write')).toMatchObject({ sideEffect: 'write_local' });
  expect(byName.get('skills.read')).toMatchObject({ sideEffect: 'read', source: 'built-in' });
});

test('no tool creates agents', async () => {
  const { data } = await Workspace.trusted().answer<{ tools: ToolView[] }>('tools', 'list');
  expect(data.tools.filter(({ name }) => name.startsWith('agent'))).toEqual([]);
});

test('tools list shows the source of each tool when piped', async () => {
  const { stdout } = await Workspace.trusted().oka('tools', 'list');
  expect(stdout).toMatch(/^tool +does +risk +source +description$/m);
  expect(stdout).toMatch(/^files\.read +reads +none +built-in +Reads/m);
});

test('tools show prints the schemas, and a typo gets a suggestion', async () => {
  const workspace = Workspace.trusted();
  const { data } = await workspace.answer<{ tool: ToolDetails }>('tools', 'show', 'files.read');
  expect(data.tool).toMatchObject({
    name: 'files.read',
    input: { type: 'object', required: ['path'] },
    output: { type: 'object' },
  });
  expect(await workspace.refusal('tools', 'show', 'files.raed')).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.unknown_tool', message: expect.stringContaining('Did you mean "files.read"?') },
  });
});

test('tools call is a recorded run', async () => {
  const workspace = Workspace.trusted();
  const { exitCode, data } = await workspace.answer('tools', 'call', 'files.read', '{"path":"README.md"}');
  expect(exitCode).toBe(0);
  expect(data).toMatchObject({
    run: { kind: 'call', status: 'completed' },
    output: { path: 'README.md', content: expect.stringContaining('# Garden') },
  });
  expect((await workspace.answer('runs', 'show', data.run.id)).data.output).toEqual(data.output);
  await workspace.verified();
});

test('tools call reads its input from standard input', async () => {
  const workspace = Workspace.trusted();
  const input = '{"path":"README.md"}';
  const read = await workspace.okaWith({ input }, 'tools', 'call', 'files.read', '-', '--json');
  const { exitCode, data } = toAnswer<RunAnswer>(read);
  expect({ exitCode, output: data.output }).toMatchObject({ exitCode: 0, output: { path: 'README.md' } });
  expect(await workspace.refusal('tools', 'call', 'files.read', '-')).toMatchObject({
    exitCode: 3,
    error: { code: 'cli.invalid_json' },
  });
});

test('tools list groups the tools by source on a terminal', async ({ skip }) => {
  if (noTerminal) return skip(noTerminal);
  const terminal = new Terminal(Workspace.trusted(), ['tools', 'list']);
  expect(await terminal.exitCode()).toBe(0);
  const shown = stripVTControlCharacters(await terminal.shows(/state\.write/));
  expect(shown).toMatch(/built-in\s+tool +does +risk +description\s/);
});

test.each([
  ['not JSON', '{path}', 'cli.invalid_json'],
  ['a list', '["README.md"]', 'cli.invalid_json'],
  ['null', 'null', 'cli.invalid_json'],
])('tools call rejects an input that is %s', async (_, input, code) => {
  const workspace = Workspace.trusted();
  expect(await workspace.refusal('tools', 'call', 'files.read', input)).toMatchObject({
    exitCode: 3,
    error: { code },
  });
});

test('tools call with invalid input is a failed run', async () => {
  const { data } = await Workspace.trusted().answer('tools', 'call', 'files.read', '{"pfad":"README.md"}');
  expect(data.run).toMatchObject({ status: 'failed', failure: { code: 'engine.tool_input_invalid' } });
});

test('tools call --simulate changes nothing', async () => {
  const workspace = Workspace.trusted();
  const input = '{"path":"new.txt","content":"x"}';
  const { data } = await workspace.answer('tools', 'call', 'files.write', input, '--simulate');
  expect(data.wouldChange).toMatchObject([{ path: 'new.txt' }]);
  expect(workspace.has('new.txt')).toBe(false);
  await workspace.answer('tools', 'call', 'files.write', input);
  expect(workspace.text('new.txt')).toBe('x');
});

test('tools call does not act in an untrusted workspace', async () => {
  const workspace = new Workspace();
  const input = '{"path":"new.txt","content":"x"}';
  expect(await workspace.refusal('tools', 'call', 'files.write', input)).toMatchObject({
    exitCode: 4,
    error: { code: 'config.not_trusted' },
  });
  expect(workspace.has('new.txt')).toBe(false);
});
