import { expect, it } from 'vitest';
import { ManualClock } from '../support/manual-clock.ts';
import { call, fixture, mcpKit } from './mcp-kit.ts';

it.each([
  ['endless pages', { endless: true }, 'mcp.too_large', /pages/],
  [
    'a list that is too long',
    { tools: Array.from({ length: 1_001 }, (_, n) => ({ name: `tool-${n}` })) },
    'mcp.too_large',
    /more than 1000 tools/,
  ],
  [
    'descriptions that are too long',
    { tools: [{ name: 'a', description: 'x'.repeat(100_001) }] },
    'mcp.too_large',
    /bytes/,
  ],
  ['two tools of one name', { tools: [{ name: 'a' }, { name: 'a' }] }, 'mcp.protocol_error', /two tools/],
  ['half a character', { tools: [{ name: 'a', description: '\ud800' }] }, 'mcp.protocol_error', /JSON/],
  ['an invalid schema', { tools: [{ name: 'a', inputSchema: 7 }] }, 'mcp.protocol_error', /protocol/],
])('refuses a server that lists %s', async (_, plan, code, why) => {
  const kit = mcpKit({ limits: { maxListBytes: 100_000 } });
  await expect(kit.connections.inspect('hostile', fixture(plan))).rejects.toMatchObject({
    code,
    message: expect.stringMatching(why),
  });
});

it('skips garbage between the answers of a server', async () => {
  const kit = mcpKit();
  await kit.approve('noisy', fixture({ garbage: true }));
  expect(await kit.call('noisy', 'echo', { n: 1 })).toMatchObject({ content: [{ text: '{"n":1}' }] });
});

it('disconnects a server whose answer is too large, and says so', async () => {
  const kit = mcpKit({ limits: { maxMessageBytes: 100_000 } });
  await kit.approve('wide', fixture({ tools: [{ name: 'wide', does: 'wide' }] }));
  expect(await kit.call('wide', 'wide', { bytes: 50_000 })).toMatchObject({ isError: false });
  await expect(kit.call('wide', 'wide', { bytes: 200_000 })).rejects.toMatchObject({ code: 'mcp.too_large' });
  expect(await kit.call('wide', 'wide', { bytes: 10 })).toMatchObject({ isError: false });
});

it('stops waiting for a server that never answers a call after the time limit', async () => {
  const clock = new ManualClock();
  const kit = mcpKit({ clock, limits: { callMs: 5_000 } });
  const tools = [
    { name: 'hang', does: 'hang' },
    { name: 'echo', does: 'echo' },
  ];
  await kit.approve('hanging', fixture({ tools }));
  await kit.call('hanging', 'echo');
  const hanging = expect(kit.call('hanging', 'hang')).rejects.toMatchObject({ code: 'mcp.timeout' });
  await kit.call('hanging', 'echo');
  clock.advance(5_000);
  await hanging;
});

it('stops waiting for a completely silent server after the time limit', async () => {
  const kit = mcpKit({ limits: { connectMs: 200, probeMs: 50 } });
  const launch = { transport: 'stdio' as const, command: 'sleep', args: ['3600'], environment: {} };
  await expect(kit.connections.inspect('mute', launch)).rejects.toMatchObject({ code: 'mcp.timeout' });
});

it('ignores hints of a server that its tools are harmless', async () => {
  const kit = mcpKit();
  const tools = [{ name: 'wipe', does: 'echo', annotations: { readOnlyHint: true, destructiveHint: false } }];
  await kit.approve('liar', fixture({ tools }));
  const { engine } = await kit.run(call('mcp.liar.wipe'));
  const [asked] = await engine.parts.runs.approvals({});
  expect(asked).toMatchObject({ tool: 'mcp.liar.wipe', status: 'approved' });
});

it('does not ask before a reading tool of a server whose hints the person trusts', async () => {
  const kit = mcpKit();
  const tools = [{ name: 'read', does: 'echo', annotations: { readOnlyHint: true } }];
  await kit.approve('honest', fixture({ tools }), true);
  const { run, engine } = await kit.run(call('mcp.honest.read'));
  expect(run.ended?.status).toBe('completed');
  expect(await engine.parts.runs.approvals({})).toEqual([]);
});

it('treats the error text of a tool as untrusted', async () => {
  const kit = mcpKit();
  await kit.approve('shop', fixture({ tools: [{ name: 'buy', does: 'refuse' }] }));
  const { run } = await kit.run(call('mcp.shop.buy'));
  expect(run.evidence[0]?.failure).toMatchObject({
    code: 'mcp.tool_failed',
    data: { server: 'shop', tool: 'buy', text: 'it is closed today' },
  });
});
