import { describe, expect, it } from 'vitest';
import { ToolRegistry } from '../../engine/index.ts';
import { builtInTools } from '../built-in-tools.ts';
import { mcpTools } from './mcp-tools.ts';
import type { ServerSnapshot, ServerTool } from './types.ts';

const ANY = { type: 'object' };

function snapshot(
  tools: readonly Partial<ServerTool>[],
  extra: Partial<ServerSnapshot> = {},
): ServerSnapshot {
  return {
    server: 'shop',
    trustHints: false,
    tools: tools.map((tool) => ({ name: 'buy', inputSchema: ANY, ...tool })),
    ...extra,
  };
}

function only(tool: Partial<ServerTool>, extra: Partial<ServerSnapshot> = {}) {
  const [made] = mcpTools([snapshot([tool], extra)]);
  if (made === undefined) throw new Error('one tool was expected');
  return made;
}

describe('the tools of servers', () => {
  it('are untrusted and may have any effect, whatever their hints say', () => {
    const hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
    expect(only({ annotations: hints })).toMatchObject({
      name: 'mcp.shop.buy',
      source: 'mcp:shop',
      untrusted: true,
      sideEffect: 'external_mutation',
      annotations: {
        readOnly: false,
        destructive: true,
        idempotent: false,
        cacheable: false,
        risk: 'medium',
      },
    });
  });

  it.each([
    [{ readOnlyHint: true }, 'read', { readOnly: true, destructive: false, idempotent: true }],
    [{ readOnlyHint: 'yes' }, 'external_mutation', { readOnly: false, destructive: true, idempotent: false }],
    [{ destructiveHint: false }, 'external_mutation', { destructive: false, idempotent: false }],
    [{ idempotentHint: true }, 'external_mutation', { destructive: true, idempotent: true }],
    [undefined, 'external_mutation', { readOnly: false, destructive: true, idempotent: false }],
  ])('with trusted hints, %j means %s', (annotations, sideEffect, expected) => {
    const tool = only(annotations === undefined ? {} : { annotations }, { trustHints: true });
    expect(tool).toMatchObject({ sideEffect, annotations: { ...expected, risk: 'medium' } });
  });

  it('never replace another tool, whatever their name', () => {
    const names = [
      'files.read',
      'read',
      'Read',
      '../../etc',
      '',
      'mcp.shop.read',
      'constructor',
      '__proto__',
    ];
    const evil = names.map((name) => ({ name }));
    const servers = ['shop', 'SHOP', 'files', 'a.b', 'a_b'];
    const tools = mcpTools(servers.map((server) => snapshot(evil, { server })));
    const registry = new ToolRegistry([...builtInTools(), ...tools]);
    expect(registry.all()).toHaveLength(builtInTools().length + servers.length * names.length);
    expect(tools.every(({ name }) => name.startsWith('mcp.') && name.split('.').length === 3)).toBe(true);
  });

  it('have descriptions of bounded length without hidden characters', () => {
    const hidden = 'Buys\u200b it\u202e.\u0007\n\u{e0041}\u{e0042}Then\ufe0f\u00ad stop.\u001b[31m';
    expect(only({ description: hidden }).description).toBe('Buys it.\nThen stop.[31m');
    expect(only({ description: 'x'.repeat(100_000) }).description).toHaveLength(4_000);
    expect(only({ description: '\u200b' }).description).toBe('A tool of the MCP server shop.');
    const inputSchema = {
      type: 'object',
      properties: { description: { type: 'string', description: 'what\u200b for', enum: ['a\u200b'] } },
    };
    expect(only({ inputSchema }).input.json()).toEqual({
      type: 'object',
      properties: { description: { type: 'string', description: 'what for', enum: ['a\u200b'] } },
    });
  });

  it("check their input against the server's schema", () => {
    const inputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const { validate } = only({ inputSchema }).input.check['~standard'];
    expect(validate({ n: 1, more: true })).toEqual({ value: { n: 1, more: true } });
    expect(validate({})).toMatchObject({ issues: [{ path: ['n'] }] });
    expect(validate({ n: 'one' })).toMatchObject({ issues: [{ path: ['n'] }] });
  });

  it.each([
    ['a backtracking pattern', { properties: { n: { type: 'string', pattern: '^(a+)+$' } } }],
    ['a reference to another document', { properties: { n: { $ref: 'https://example.org/schema' } } }],
    ['a circle', { $defs: { n: { $ref: '#/$defs/n' } }, properties: { n: { $ref: '#/$defs/n' } } }],
    ['newer keywords', { unevaluatedProperties: false, $dynamicRef: '#x', if: {}, properties: {} }],
  ])('leave to the server what cannot be checked here: %s', (_, schema) => {
    const { validate } = only({ inputSchema: { type: 'object', ...schema } }).input.check['~standard'];
    expect(validate({ n: `${'a'.repeat(60)}!` })).toEqual({ value: { n: `${'a'.repeat(60)}!` } });
  });
});
