import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { call, fixture, mcpKit } from './mcp-kit.ts';

/** Whether a process is there and is more than a name that nobody has asked after. */
function isRunning(pid: string): boolean {
  return /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim());
}

/** The processes that a log tells of. */
function pidsIn(log: string): string[] {
  return [...readFileSync(log, 'utf8').matchAll(/^start (\d+)$/gm)].map(([, pid]) => pid as string);
}

/** Passes when a log holds these words. */
function logged(log: string, words: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(log), () => look());
    const look = (): void => {
      if (!existsSync(log) || !readFileSync(log, 'utf8').includes(words)) return;
      watcher.close();
      resolve();
    };
    look();
  });
}

function starts(log: string): number {
  return pidsIn(log).length;
}

it('starts a server with the first call, and only once for many', async () => {
  const log = join(tempFolder(), 'log');
  const kit = mcpKit();
  await kit.approve('echo', fixture({ log }));
  expect(starts(log)).toBe(1);
  await Promise.all([1, 2, 3].map((n) => kit.call('echo', 'echo', { n })));
  expect(starts(log)).toBe(2);
});

it('asks a person about the call during which a server dies, and restarts the server for the next', async () => {
  const folder = tempFolder();
  const kit = mcpKit();
  const tools = [{ name: 'die', does: 'die' }];
  await kit.approve('frail', fixture({ tools, once: join(folder, 'died') }));
  const { run, engine } = await kit.run(call('mcp.frail.die'), call('mcp.frail.die'));
  expect(run.evidence).toMatchObject([
    { failure: { code: 'engine.effect_unknown' } },
    { output: { text: 'alive again' } },
  ]);
  const asked = (await engine.events(run.id)).find(({ type }) => type === 'question.asked');
  expect(asked?.body).toMatchObject({ question: expect.stringMatching(/exit code 3.*something broke/s) });
});

it('retries automatically where the person trusts that the tool is repeatable', async () => {
  const kit = mcpKit();
  const tools = [{ name: 'die', does: 'die', annotations: { readOnlyHint: true } }];
  await kit.approve('frail', fixture({ tools, once: join(tempFolder(), 'died') }), true);
  const { run } = await kit.run(call('mcp.frail.die'));
  expect(run.evidence).toMatchObject([{ output: { text: 'alive again' } }]);
});

it('pauses a server that is restarted too often, and retries later', async () => {
  const log = join(tempFolder(), 'log');
  const clock = new ManualClock();
  const kit = mcpKit({ clock });
  await kit.approve('frail', fixture({ tools: [{ name: 'die', does: 'die' }], log }));
  const pauses: number[] = [];
  for (let i = 0; i < 4; i++) {
    const before = clock.now();
    const lost = expect(kit.call('frail', 'die')).rejects.toMatchObject({ code: 'mcp.connection_lost' });
    await settle();
    if (i > 0) clock.advanceToNext();
    await lost;
    pauses.push(clock.now() - before);
  }
  expect(pauses).toEqual([0, 250, 500, 1_000]);
  await expect(kit.call('frail', 'die')).rejects.toMatchObject({ code: 'mcp.failing' });
  const before = starts(log);
  clock.advance(60_000);
  await expect(kit.call('frail', 'die')).rejects.toMatchObject({ code: 'mcp.connection_lost' });
  expect(starts(log)).toBe(before + 1);
});

it('cancels a call at the server when the caller aborts, and keeps the connection', async () => {
  const log = join(tempFolder(), 'log');
  const kit = mcpKit();
  const tools = [
    { name: 'hang', does: 'hang' },
    { name: 'echo', does: 'echo' },
  ];
  await kit.approve('slow', fixture({ tools, log }));
  const abort = new AbortController();
  const hanging = expect(kit.call('slow', 'hang', {}, abort.signal)).rejects.toThrow('enough');
  await logged(log, 'hang');
  abort.abort(new Error('enough'));
  await hanging;
  await logged(log, 'cancelled');
  const [, id] = /hang (\d+)/.exec(readFileSync(log, 'utf8')) ?? [];
  expect(readFileSync(log, 'utf8')).toContain(`cancelled ${id}`);
  expect(await kit.call('slow', 'echo', { n: 1 })).toMatchObject({ content: [{ text: '{"n":1}' }] });
});

it('leaves no server and no process of a server running after the connections close', async () => {
  const log = join(tempFolder(), 'log');
  const kit = mcpKit();
  await kit.approve('parent', fixture({ tools: [{ name: 'child', does: 'child' }], log }));
  const { content } = await kit.call('parent', 'child');
  const pids = [String(content[0]?.['text']), ...pidsIn(log)];
  expect(isRunning(pids[0] as string)).toBe(true);
  await kit.connections.close();
  expect(pids.filter(isRunning)).toEqual([]);
  await expect(kit.call('parent', 'child')).rejects.toMatchObject({ code: 'mcp.connection_lost' });
});

it('kills a server that does not end on request', async () => {
  const log = join(tempFolder(), 'log');
  const kit = mcpKit();
  await kit.connections.inspect('stubborn', fixture({ stubborn: true, log }));
  const pids = pidsIn(log);
  expect(pids.map(isRunning)).toEqual([false]);
});

it('gives a server a clean environment with its own variables, in the folder of the workspace', async () => {
  const secrets: unknown[] = [];
  const known: Record<string, string> = { HOME: '/home/me', GREETING: 'hi', API_KEY: 'never' };
  const kit = mcpKit({
    environment: (name) => (name === 'PATH' ? process.env['PATH'] : known[name]),
    secret: async (name, purpose) => {
      secrets.push([name, purpose]);
      return name === 'token' ? 's3cret' : undefined;
    },
  });
  const tools = [{ name: 'look', does: 'environment' }];
  const own = { A: `\${GREETING} you`, B: `\${MISSING:-else}`, C: `\${vault:token}` };
  await kit.approve('look', fixture({ tools }, own));
  const { content } = await kit.call('look', 'look');
  const { env, cwd } = JSON.parse(String(content[0]?.['text']));
  expect(env).toEqual({ PATH: process.env['PATH'], HOME: '/home/me', A: 'hi you', B: 'else', C: 's3cret' });
  expect(cwd).toBe(kit.folder);
  expect(secrets.at(-1)).toEqual(['token', { tool: 'mcp:look', run: 'run', from: 'user' }]);
  await expect(kit.connections.inspect('look', fixture({}, { A: `\${vault:other}` }))).rejects.toMatchObject({
    code: 'mcp.missing_value',
    message: expect.stringContaining('vault add other'),
  });
});

it.each([
  ['a missing program', 'no-such-program', /program "no-such-program" not found/],
  ['a program that ends at once', 'false', /exit code 1/],
])('says why %s cannot be reached', async (_, command, why) => {
  const kit = mcpKit();
  const launch = { transport: 'stdio' as const, command, args: [], environment: {} };
  await expect(kit.connections.inspect('broken', launch)).rejects.toMatchObject({
    code: 'mcp.unreachable',
    message: expect.stringMatching(why),
  });
});
