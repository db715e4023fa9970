import { describe, expect, test } from 'vitest';
import { defaultPolicy, type PolicyRequest } from '../../src/engine/index.ts';
import type { Json } from '../../src/kernel/index.ts';
import { compilePolicy } from '../../src/policy/index.ts';
import { face, policyFrom, request } from './kit.ts';

const write = face('files.write', 'write_local');
const send = face('mail.send', 'external_mutation');
const run = face('process.run', 'external_mutation', 'medium');
const get = face('http.fetch', 'external_mutation');

describe('who may decide what', () => {
  test('without a policy file, the default of the engine applies', () => {
    const policy = compilePolicy({});
    expect(policy.version).toBe(defaultPolicy.version);
    for (const tool of [write, send, run, face('x', 'write_local', 'low', { destructive: true })])
      expect(policy.decide(request(tool))).toEqual(defaultPolicy.decide(request(tool)));
  });

  test('an allow of the person loosens a call that asks by default', () => {
    const policy = policyFrom({ user: ['mail.send | allow'] });
    expect(policy.decide(request(send))).toEqual({
      decision: 'allow',
      rule: 'OKA_HOME/POLICY.md:3',
      why: 'said so',
    });
  });

  test('an allow of the person covers destructive calls', () => {
    const destructive = face('files.delete', 'write_local', 'medium', { destructive: true });
    expect(policyFrom({ user: ['files.* | allow'] }).decide(request(destructive)).decision).toBe('allow');
  });

  test.each(['high', 'critical'] as const)('an allow never covers calls with %s risk', (risk) => {
    const tool = face('mail.send', 'external_mutation', risk);
    const { decision, rule } = policyFrom({ user: ['* | allow', 'mail.send | allow'] }).decide(request(tool));
    expect({ decision, rule }).toEqual({ decision: 'ask', rule: 'risk' });
    expect(policyFrom({ user: ['mail.send | deny'] }).decide(request(tool)).decision).toBe('deny');
  });

  test('an allow of a workspace changes nothing', () => {
    const policy = policyFrom({ project: ['* | allow'] });
    expect(policy.decide(request(send))).toEqual(defaultPolicy.decide(request(send)));
    const tightened = policyFrom({ user: ['files.write | ask'], project: ['files.write | allow'] });
    expect(tightened.decide(request(write)).decision).toBe('ask');
  });

  test('ask and deny of a workspace override an allow of the person', () => {
    const user = ['mail.send | allow'];
    expect(policyFrom({ user, project: ['mail.* | ask'] }).decide(request(send))).toMatchObject({
      decision: 'ask',
      rule: 'POLICY.md:3',
    });
    expect(policyFrom({ user, project: ['* | deny'] }).decide(request(send)).decision).toBe('deny');
  });

  test('both files of a workspace count', () => {
    const head = '| match | decision | why |\n|---|---|---|\n';
    const policy = compilePolicy({
      project: [
        { file: 'POLICY.md', text: `${head}| files.write | ask | x |\n` },
        { file: '.oka/POLICY.md', text: `${head}| files.write | deny | y |\n` },
      ],
    });
    expect(policy.decide(request(write))).toEqual({ decision: 'deny', rule: '.oka/POLICY.md:3', why: 'y' });
  });

  test('of equal rules the first is named', () => {
    const policy = policyFrom({ user: ['files.write | ask'], project: ['files.* | ask'] });
    expect(policy.decide(request(write)).rule).toBe('OKA_HOME/POLICY.md:3');
  });

  test('a row without a reason is named by its position', () => {
    const text = '| match | decision | why |\n|---|---|---|\n| a | deny | |\n';
    const policy = compilePolicy({ project: [{ file: 'POLICY.md', text }] });
    expect(policy.decide(request(face('a'))).why).toBe('POLICY.md:3 says deny');
  });

  test('the version depends on the rules alone', () => {
    const one = policyFrom({ project: ['files.write | ask'] });
    const other = policyFrom({ project: ['files.write | deny'] });
    expect(one.version).toBe(policyFrom({ project: ['files.write | ask'] }).version);
    expect(new Set([one.version, other.version, defaultPolicy.version]).size).toBe(3);
  });
});

describe('the effect of a call with its input', () => {
  const annotations = {
    readOnly: true,
    destructive: false,
    idempotent: true,
    cacheable: false,
    risk: 'low',
  } as const;
  const tool = face('http.fetch', 'external_mutation', 'high', {
    forInput: (input) => {
      const { method } = input as { method: string };
      if (method === 'GET') return { sideEffect: 'read', annotations };
      throw new Error('only GET is known');
    },
  });

  test('decides the default, the risk and the conditions', () => {
    const policy = policyFrom({
      user: ['* and side effect is read and risk at least high | deny', 'http.* | allow'],
    });
    expect(policy.decide(request(tool, { method: 'GET' }))).toMatchObject({ decision: 'allow' });
    expect(compilePolicy({}).decide(request(tool, { method: 'GET' })).decision).toBe('allow');
  });

  test('is the worst one if it is unknown', () => {
    expect(policyFrom({ user: ['http.* | allow'] }).decide(request(tool, { method: 'POST' })).decision).toBe(
      'ask',
    );
    expect(policyFrom({ user: ['http.* | allow'] }).decide(request(tool, null)).decision).toBe('ask');
  });
});

/** Whether a row takes hold when it allows, and when it denies. */
function holds(match: string, call: PolicyRequest): string {
  const allows = policyFrom({ user: [`${match} | allow`] }).decide(call).decision === 'allow';
  const denies = policyFrom({ user: [`${match} | deny`] }).decide(call).decision === 'deny';
  return allows ? (denies ? 'surely' : 'allows only') : denies ? 'perhaps' : 'no';
}

function path(value: Json): PolicyRequest {
  return request(send, { path: value });
}

describe('a match holds', () => {
  test.each([
    ['mail.send', 'surely'],
    ['mail.*', 'surely'],
    ['*', 'surely'],
    ['m*l.s*d', 'surely'],
    ['*.send', 'surely'],
    ['mail', 'no'],
    ['mail.sen', 'no'],
    ['mail.send.*', 'no'],
    ['ail.send', 'no'],
  ])('for the family %s: %s', (family, expected) => {
    expect(holds(family, request(send))).toBe(expected);
  });

  test.each<[string, Json, string]>([
    ['path in docs/**', 'docs/a.md', 'surely'],
    ['path in docs/**', 'docs/a/b/c.md', 'surely'],
    ['path in docs/**', './docs//a.md', 'surely'],
    ['path in docs/**', 'docs', 'surely'],
    ['path in docs/**', 'docsy/a.md', 'no'],
    ['path in docs/**', 'src/docs/a.md', 'no'],
    ['path in docs/**', 'docs/../src/a.ts', 'no'],
    ['path in docs/**', 'src/../docs/a.md', 'surely'],
    ['path in docs/**', '/home/ann/garden/docs/a.md', 'surely'],
    ['path in docs/**', '/home/ann/garden/src/a.md', 'no'],
    ['path in docs/**', '/home/ann/gardens/docs/a.md', 'perhaps'],
    ['path in docs/**', '../garden/docs/a.md', 'perhaps'],
    ['path in docs/**', 'Docs/a.md', 'perhaps'],
    ['path in docs/**', 'docs./a.md', 'perhaps'],
    ['path in docs/**', 'do\u200Bcs/a.md', 'perhaps'],
    ['path in docs/**', '.', 'perhaps'],
    ['path in docs/**', 'docs\\a.md', 'perhaps'],
    ['path in docs/**', 'docs/\0', 'perhaps'],
    ['path in docs/**', '', 'perhaps'],
    ['path in docs/**', 5, 'perhaps'],
    ['path in docs/**', { name: 'a' }, 'perhaps'],
    ['path in docs/**', `src/${'a'.repeat(5_000)}`, 'perhaps'],
    ['path in docs/**', ['docs/a', 'docs/b'], 'surely'],
    ['path in docs/**', ['docs/a', 'src/b'], 'perhaps'],
    ['path in docs/**', [], 'perhaps'],
    ['path in a/b/**', 'a', 'perhaps'],
    ['path in a/b/**', 'c', 'no'],
    ['path in **/*.pem', 'keys/a.pem', 'surely'],
    ['path in **/*.pem', 'a.pem', 'surely'],
    ['path in **/*.pem', 'keys/a.txt', 'no'],
    ['path in **/*.pem', '.', 'perhaps'],
    ['path in *.md', 'a.md', 'surely'],
    ['path in *.md', 'docs/a.md', 'no'],
    ['path in a?.md', 'ab.md', 'surely'],
    ['path in a?.md', 'a.md', 'no'],
    ['path is docs/plan.md', 'docs/plan.md', 'surely'],
    ['path is docs/plan.md', 'docs', 'perhaps'],
    ['path is docs/plan.md', 'docs/plan.md/x', 'no'],
    ['path not in docs/**', 'docs/a.md', 'no'],
    ['path not in docs/**', 'src/a.md', 'surely'],
    ['path not in docs/**', 'Docs/a.md', 'perhaps'],
    ['path not in docs/**', '../a.md', 'perhaps'],
    ['path is not docs/plan.md', 'docs/b.md', 'surely'],
  ])('%s of %j: %s', (condition, value, expected) => {
    expect(holds(`* and ${condition}`, path(value))).toBe(expected);
  });

  test('of several paths an allow needs all, a deny one', () => {
    expect(holds('* and path in docs/**', request(send, { from: 'docs/a', to: 'docs/b' }))).toBe('surely');
    expect(holds('* and path in docs/**', request(send, { from: 'docs/a', to: 'src/b' }))).toBe('perhaps');
    expect(holds('* and path in docs/**', request(send, { from: 'src/a', to: 'src/b' }))).toBe('no');
  });

  test.each<[string, Json, string]>([
    ['argv[0] is git', { argv: ['git', 'status'] }, 'surely'],
    ['argv[0] is git', { argv: ['/usr/bin/git'] }, 'perhaps'],
    ['argv[0] is git', { argv: ['GIT.exe'] }, 'perhaps'],
    ['argv[0] is git', { argv: ['gitk'] }, 'no'],
    ['argv[0] is git', { argv: [] }, 'perhaps'],
    ['argv[0] is git', { argv: 'git' }, 'perhaps'],
    ['argv[0] is git', {}, 'perhaps'],
    ['argv[0] is not git', { argv: ['git'] }, 'no'],
    ['argv[0] is not git', { argv: ['rm'] }, 'surely'],
    ['argv starts with git status', { argv: ['git', 'status', '-s'] }, 'surely'],
    ['argv starts with git status', { argv: ['git', 'push'] }, 'no'],
    ['argv starts with git status', { argv: ['git'] }, 'no'],
    ['argv starts with git status', { argv: ['./git', 'status'] }, 'perhaps'],
    ['argv starts with git status', { argv: 'git status' }, 'perhaps'],
    ['argv starts with git status', { argv: ['git', 5] }, 'no'],
    ['argv starts with git "a b"', { argv: ['git', 'a b'] }, 'surely'],
  ])('%s of %j: %s', (condition, input, expected) => {
    expect(holds(`* and ${condition}`, request(run, input))).toBe(expected);
  });

  test.each<[string, Json, string]>([
    ['host is api.github.com', 'https://api.github.com/repos', 'surely'],
    ['host is api.github.com', 'https://API.github.com.:8443/', 'surely'],
    ['host is api.github.com', 'https://api.github.com@evil.example/', 'no'],
    ['host is api.github.com', 'https://api.github.com.evil.example/', 'no'],
    ['host is api.github.com', 'api.github.com/repos', 'perhaps'],
    ['host is api.github.com', 'mailto:ann@api.github.com', 'perhaps'],
    ['host is api.github.com', ['https://api.github.com'], 'surely'],
    ['host in *.example.com', 'https://a.b.example.com', 'surely'],
    ['host in *.example.com', 'https://example.com', 'no'],
    ['host in *.example.com', 'https://badexample.com', 'no'],
    ['host not in *.example.com', 'https://a.example.com', 'no'],
    ['host not in *.example.com', 'not an address', 'perhaps'],
    ['host is 127.0.0.1', 'http://2130706433/', 'surely'],
    ['host is xn--bcher-kva.example', 'https://bücher.example', 'surely'],
  ])('%s of %j: %s', (condition, url, expected) => {
    expect(holds(`* and ${condition}`, request(get, { url }))).toBe(expected);
  });

  test.each<[string, Json, string]>([
    ['method is POST', { method: 'POST' }, 'surely'],
    ['method is POST', { method: 'post' }, 'perhaps'],
    ['method is POST', { method: 'GET' }, 'no'],
    ['method is POST', {}, 'perhaps'],
    ['method is not GET', {}, 'perhaps'],
    ['input.a.b[1] is 5', { a: { b: [0, 5] } }, 'surely'],
    ['input.a.b[1] is 5', { a: { b: [0, '5'] } }, 'surely'],
    ['input.a.b[1] is 5', { a: { b: { 1: 5 } } }, 'perhaps'],
    ['input.a is true', { a: true }, 'surely'],
    ['input.a is null', { a: null }, 'surely'],
    ['input.a is x', { a: ['x', 'y'] }, 'perhaps'],
    ['input.a is x', { a: ['y'] }, 'no'],
    ['input.a is x', { a: {} }, 'perhaps'],
    ['input.toString is x', {}, 'perhaps'],
    ['input.a is x', 'a', 'perhaps'],
    ['input.a is x', null, 'perhaps'],
  ])('%s of %j: %s', (condition, input, expected) => {
    expect(holds(`* and ${condition}`, request(send, input))).toBe(expected);
  });

  test.each<[string, string]>([
    ['side effect is external_mutation', 'surely'],
    ['side effect is read', 'no'],
    ['side effect is not read', 'surely'],
    ['risk at least low', 'surely'],
    ['risk at least medium', 'no'],
    ['state is act', 'surely'],
    ['state is explore', 'no'],
    ['kind is agent', 'surely'],
    ['kind is not graph', 'surely'],
    ['agent is anton', 'perhaps'],
    ['agent is not anton', 'perhaps'],
    ['state is act and kind is graph', 'no'],
    ['state is act and agent is anton', 'perhaps'],
  ])('%s: %s', (condition, expected) => {
    expect(holds(`* and ${condition}`, request(send))).toBe(expected);
  });

  test('for the agent that is named', () => {
    expect(holds('* and agent is anton', request(send, {}, { agent: 'anton' }))).toBe('surely');
    expect(holds('* and agent is anton', request(send, {}, { agent: 'berta' }))).toBe('no');
  });
});
