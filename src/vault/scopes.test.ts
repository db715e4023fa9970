import { describe, expect, it } from 'vitest';
import { allows, parseScope, purposeOf } from './scopes.ts';

const FETCH = { tool: 'http.fetch', run: 'r1' };

describe('parseScope', () => {
  it.each([
    ['*', '*'],
    ['tool:process.run', 'tool:process.run'],
    ['mcp:github', 'mcp:github'],
    ['model:openai', 'model:openai'],
    ['host:API.GitHub.com', 'host:api.github.com'],
    ['host:*.example.org:8443', 'host:*.example.org:8443'],
    ['host:bücher.example', 'host:xn--bcher-kva.example'],
    ['host:[::1]:80', 'host:[::1]:80'],
    ['host:example.org.', 'host:example.org'],
  ])('parses %s as %s', (given, plain) => {
    expect(parseScope(given)).toBe(plain);
  });

  it.each([
    '',
    'host:',
    'host:*',
    'host:a/b',
    'host:user@example.org',
    'host:example.org:99999',
    'host:exa mple.org',
    'host:*.*.org',
    'tool:',
    'tool:a b',
    'everything',
    'https://example.org',
  ])('rejects "%s"', (given) => {
    expect(() => parseScope(given)).toThrow(expect.objectContaining({ code: 'vault.invalid_scope' }));
  });
});

describe('allows', () => {
  it.each([
    ['anything anywhere', ['*'], { ...FETCH, host: 'evil.example' }, true],
    ['its host', ['host:api.github.com'], { ...FETCH, host: 'API.github.com' }, true],
    ['its host at any port', ['host:api.github.com'], { ...FETCH, host: 'api.github.com:8443' }, true],
    ['only its port', ['host:localhost:80'], { ...FETCH, host: 'localhost:81' }, false],
    ['no other host', ['host:api.github.com'], { ...FETCH, host: 'api.github.com.evil.example' }, false],
    ['no host with only the same ending', ['host:github.com'], { ...FETCH, host: 'evilgithub.com' }, false],
    ['hosts below a wildcard', ['host:*.github.com'], { ...FETCH, host: 'a.b.github.com' }, true],
    ['not the wildcard itself', ['host:*.github.com'], { ...FETCH, host: 'github.com' }, false],
    ['no invalid host', ['host:github.com'], { ...FETCH, host: 'github.com/../evil' }, false],
    ['no use that names no host', ['host:api.github.com'], { tool: 'process.run' }, false],
    ['its tool', ['tool:process.run'], { tool: 'process.run' }, true],
    ['no other tool', ['tool:process.run'], { ...FETCH, host: 'a.example' }, false],
    ['its tool to any host', ['tool:http.fetch'], { ...FETCH, host: 'a.example' }, true],
    ['its tool to its host', ['tool:http.fetch', 'host:a.example'], { ...FETCH, host: 'a.example' }, true],
    [
      'its tool to no other host',
      ['tool:http.fetch', 'host:a.example'],
      { ...FETCH, host: 'b.example' },
      false,
    ],
    ['its host through no other tool', ['tool:x', 'host:a.example'], { ...FETCH, host: 'a.example' }, false],
    ['one of several tools', ['tool:x', 'tool:process.run'], { tool: 'process.run' }, true],
    ['its server', ['mcp:github'], { tool: 'mcp:github' }, true],
    ['no other server', ['mcp:github'], { tool: 'mcp:gitlab' }, false],
    ['no tool of the same name', ['tool:github'], { tool: 'mcp:github' }, false],
    ['its model', ['model:openai'], { tool: 'model:openai', from: 'project' as const }, true],
  ])('handles %s', (_what, scopes, use, allowed) => {
    expect(allows(scopes, use)).toBe(allowed);
  });

  it('without scopes allows only models and servers of config files, and no tool calls', () => {
    expect(allows([], { tool: 'model:openai' })).toBe(true);
    expect(allows([], { tool: 'mcp:github', from: 'user' })).toBe(true);
    expect(allows([], { tool: 'mcp:github', from: 'project' })).toBe(false);
    expect(allows([], { tool: 'process.run' })).toBe(false);
    expect(allows([], { ...FETCH, host: 'api.github.com' })).toBe(false);
  });

  it("lets a project's file send a value to its own address only with a scope for that host", () => {
    const use = { tool: 'model:openai', host: 'proxy.example', from: 'project' as const };
    expect(allows(['model:openai'], use)).toBe(false);
    expect(allows(['model:openai', 'host:proxy.example'], use)).toBe(true);
    expect(allows(['model:openai'], { ...use, from: 'user' })).toBe(true);
  });

  it('describes the destination of a value for the log', () => {
    expect(purposeOf({ tool: 'http.fetch', host: 'a.example' })).toBe('tool:http.fetch host:a.example');
    expect(purposeOf({ tool: 'mcp:github' })).toBe('mcp:github');
  });
});
