import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { temporaryFor } from '../../disk/index.ts';
import type { ServerApproval } from '../../tools/index.ts';
import { McpFile } from './mcp-file.ts';
import { ServerApprovals } from './server-approvals.ts';

function fileOf(content: unknown): McpFile {
  const path = join(tempFolder(), '.mcp.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return new McpFile(path);
}

const LAUNCH = { transport: 'stdio' as const, command: 'server', args: [], environment: {} };

test('reads servers of both transports, as other clients write them', () => {
  const file = fileOf({
    mcpServers: {
      local: { command: 'npx', args: ['-y', 'server'], env: { KEY: 'value' } },
      typed: { type: 'stdio', command: 'server' },
      remote: { type: 'http', url: 'https://example.org/mcp', headers: { a: 'b' } },
      plain: { url: 'http://127.0.0.1:1/mcp', disabled: true },
    },
  });
  expect(file.servers()).toEqual([
    {
      name: 'local',
      off: false,
      launch: { transport: 'stdio', command: 'npx', args: ['-y', 'server'], environment: { KEY: 'value' } },
    },
    { name: 'typed', off: false, launch: LAUNCH },
    {
      name: 'remote',
      off: false,
      launch: { transport: 'http', url: 'https://example.org/mcp', headers: { a: 'b' } },
    },
    { name: 'plain', off: true, launch: { transport: 'http', url: 'http://127.0.0.1:1/mcp', headers: {} } },
  ]);
  expect(new McpFile(join(tempFolder(), '.mcp.json')).servers()).toEqual([]);
});

test.each([
  [null, /not an object/],
  [{}, /"command"/],
  [{ command: 7 }, /"command"/],
  [{ command: 'x', args: 'y' }, /"args"/],
  [{ command: 'x', env: { A: 1 } }, /"env"/],
  [{ type: 'sse', url: 'http://x' }, /"sse"/],
  [{ type: 'http' }, /"url"/],
  [{ url: 'file:///etc/passwd' }, /"url"/],
  [{ url: 'http://x', headers: [] }, /"headers"/],
])('reports what is wrong with %j, and reads the others', (entry, problem) => {
  const [broken, sound] = fileOf({ mcpServers: { broken: entry, sound: { command: 'server' } } }).servers();
  expect(broken).toMatchObject({ name: 'broken', problem: expect.stringMatching(problem) });
  expect(broken?.launch).toBeUndefined();
  expect(sound?.launch).toEqual(LAUNCH);
});

test.each([
  ['{', 'config.malformed'],
  ['[]', 'config.invalid'],
  ['{"mcpServers":[]}', 'config.invalid'],
  [' '.repeat(1024 * 1024 + 1), 'config.unreadable'],
])('rejects an invalid file: %#', (content, code) => {
  expect(() => fileOf(content).servers()).toThrow(expect.objectContaining({ code }));
});

test('adds and removes servers, and preserves everything else in the file', () => {
  const file = fileOf({ $schema: 'x', mcpServers: { old: { command: 'a', note: 'mine' } }, more: [1] });
  chmodSync(file.path, 0o644);
  file.add('new', { transport: 'http', url: 'https://example.org', headers: { a: 'b' } });
  expect(JSON.parse(readFileSync(file.path, 'utf8'))).toEqual({
    $schema: 'x',
    mcpServers: {
      old: { command: 'a', note: 'mine' },
      new: { type: 'http', url: 'https://example.org', headers: { a: 'b' } },
    },
    more: [1],
  });
  expect(statSync(file.path).mode & 0o777).toBe(0o644);
  expect([file.remove('old'), file.remove('old')]).toEqual([true, false]);
  expect(file.servers().map(({ name }) => name)).toEqual(['new']);
});

test.each(['', '__proto__', '../x', 'a b', 'a.b', '-a', 'x'.repeat(61)])('rejects the name %j', (name) => {
  const file = fileOf({});
  expect(() => file.add(name, LAUNCH)).toThrow(expect.objectContaining({ code: 'mcp.invalid_server' }));
  expect(file.servers()).toEqual([]);
});

test('rejects a server that already exists or is invalid', () => {
  const file = fileOf({ mcpServers: { constructor: { command: 'a' } } });
  expect(() => file.add('constructor', LAUNCH)).toThrow(expect.objectContaining({ code: 'mcp.exists' }));
  const bad = { transport: 'http' as const, url: 'ftp://x', headers: {} };
  expect(() => file.add('bad', bad)).toThrow(expect.objectContaining({ code: 'mcp.invalid_server' }));
});

test('follows no link to read or write', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'elsewhere'), '{}');
  symlinkSync(join(folder, 'elsewhere'), join(folder, '.mcp.json'));
  const file = new McpFile(join(folder, '.mcp.json'));
  expect(() => file.servers()).toThrow(expect.objectContaining({ code: 'config.link_refused' }));
  expect(() => file.add('a', LAUNCH)).toThrow(expect.objectContaining({ code: 'config.link_refused' }));
  symlinkSync(join(folder, 'elsewhere'), temporaryFor(join(folder, 'b.json')));
  new McpFile(join(folder, 'b.json')).add('a', LAUNCH);
  expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('{}');
});

test('stores approvals by the real path of a workspace, apart from those of the user', () => {
  const home = join(tempFolder(), 'home');
  const place = tempFolder();
  const real = join(place, 'real');
  mkdirSync(real);
  symlinkSync(real, join(place, 'link'));
  const approval = { hash: 'h', tools: [] } as unknown as ServerApproval;
  const approvals = new ServerApprovals(home, join(place, 'link'));
  approvals.put('a', 'project', approval);
  approvals.put('b', 'user', approval);
  expect(new ServerApprovals(home, real).find('a', 'project')).toEqual(approval);
  const other = new ServerApprovals(home, tempFolder());
  expect([other.find('a', 'project'), other.find('b', 'user'), other.find('constructor', 'user')]).toEqual([
    undefined,
    approval,
    undefined,
  ]);
  approvals.remove('a', 'project');
  expect(new ServerApprovals(home, real).find('a', 'project')).toBeUndefined();
  expect(statSync(join(home, 'server-approvals.json')).mode & 0o777).toBe(0o600);
});
