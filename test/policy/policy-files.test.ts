import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defaultPolicy } from '../../src/engine/index.ts';
import { loadPolicy } from '../../src/runtime/policy/policies.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { policyOf } from './good-policies.ts';
import { face, request } from './kit.ts';

const send = request(face('mail.send', 'external_mutation'));
const ALLOW = policyOf('| mail.send | allow | mine |');
const DENY = policyOf('| mail.send | deny | theirs |');

/** A person's folder and a workspace with these files. */
function place(files: Readonly<Record<string, string | Uint8Array>>) {
  const root = tempFolder();
  const put = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  mkdirSync(join(root, 'work'));
  for (const [path, content] of Object.entries(files)) put(path, content);
  const load = (trusted = true) =>
    loadPolicy({ workspaceFolder: join(root, 'work'), home: join(root, 'home'), trusted });
  return { root, put, load };
}

describe('the policy in force', () => {
  test('is the default where there is no file', async () => {
    const policy = await place({}).load();
    expect(policy.version).toBe(defaultPolicy.version);
    expect(policy.decide(send)).toEqual(defaultPolicy.decide(send));
  });

  test('is made of the file of the person and of both of the workspace', async () => {
    const { put, load } = place({ 'home/POLICY.md': ALLOW });
    expect((await load()).decide(send)).toMatchObject({ decision: 'allow', rule: 'OKA_HOME/POLICY.md:3' });
    put('work/.oka/POLICY.md', policyOf('| mail.* | ask | first |'));
    expect((await load()).decide(send)).toMatchObject({ decision: 'ask', rule: '.oka/POLICY.md:3' });
    put('work/POLICY.md', DENY);
    expect((await load()).decide(send)).toEqual({ decision: 'deny', rule: 'POLICY.md:3', why: 'theirs' });
  });

  test('ignores the files of an untrusted workspace, whatever they contain', async () => {
    const { root, load } = place({ 'work/.oka/POLICY.md': 'no policy at all', 'home/POLICY.md': ALLOW });
    symlinkSync(join(root, 'home/POLICY.md'), join(root, 'work/POLICY.md'));
    expect((await load(false)).decide(send).decision).toBe('allow');
  });

  test('matches an absolute path by its path in the workspace', async () => {
    const { root, load } = place({ 'work/POLICY.md': policyOf('| `* and path in a/**` | deny | x |') });
    const policy = await load();
    const read = (path: string) => policy.decide(request(face('files.read'), { path })).decision;
    expect([read(join(root, 'work/a/b')), read(join(root, 'work/b'))]).toEqual(['deny', 'allow']);
  });
});

describe('an unreadable policy prevents every start', () => {
  test.each<[string, string, Readonly<Record<string, string | Uint8Array>>]>([
    ['no table', 'policy.invalid', { 'work/POLICY.md': 'Be kind.' }],
    ['no table of the person', 'policy.invalid', { 'home/POLICY.md': 'Be kind.' }],
    ['bytes that are no text', 'policy.unreadable', { 'work/POLICY.md': new Uint8Array([0x7c, 0xff]) }],
    ['a folder', 'policy.unreadable', { 'work/POLICY.md/x': '' }],
    ['a file where a folder should be', 'policy.unreadable', { 'work/.oka': '' }],
    ['a huge file', 'policy.unreadable', { 'work/POLICY.md': `${DENY}\n${'x'.repeat(300_000)}` }],
  ])('%s', async (_, code, files) => {
    await expect(place(files).load()).rejects.toMatchObject({
      code,
      message: expect.stringContaining('POLICY.md'),
    });
  });

  test.each(['POLICY.md', '.oka/POLICY.md', '.oka'])('a link in the workspace: %s', async (name) => {
    const { root, load } = place({ 'elsewhere/POLICY.md': DENY });
    if (name === '.oka/POLICY.md') mkdirSync(join(root, 'work/.oka'));
    symlinkSync(join(root, name === '.oka' ? 'elsewhere' : 'elsewhere/POLICY.md'), join(root, 'work', name));
    await expect(load()).rejects.toMatchObject({ code: 'policy.link_refused' });
  });

  test('a dangling link', async () => {
    const { root, load } = place({});
    symlinkSync(join(root, 'nowhere'), join(root, 'work/POLICY.md'));
    await expect(load()).rejects.toMatchObject({ code: 'policy.link_refused' });
  });

  test('the file of the person may be a link, if its target exists', async () => {
    const { root, load } = place({ 'dotfiles/policy.md': ALLOW });
    mkdirSync(join(root, 'home'));
    symlinkSync(join(root, 'dotfiles/policy.md'), join(root, 'home/POLICY.md'));
    expect((await load()).decide(send).decision).toBe('allow');
    rmSync(join(root, 'dotfiles/policy.md'));
    await expect(load()).rejects.toMatchObject({ code: 'policy.unreadable' });
  });
});

describe('a policy that changes while it is in force', () => {
  test('is reloaded', async () => {
    const { root, put, load } = place({ 'home/POLICY.md': ALLOW });
    const policy = await load();
    const before = policy.version;
    put('work/POLICY.md', DENY);
    expect(policy.decide(send).decision).toBe('deny');
    expect(policy.version).not.toBe(before);
    rmSync(join(root, 'work/POLICY.md'));
    expect(policy.decide(send).decision).toBe('allow');
    expect(policy.version).toBe(before);
  });

  test('denies everything while it cannot be read', async () => {
    const { put, load } = place({ 'home/POLICY.md': ALLOW });
    const policy = await load();
    put('work/POLICY.md', '| match |');
    expect(policy.decide(send)).toMatchObject({ decision: 'deny', rule: 'policy' });
    expect(policy.decide(request(face('files.read'))).why).toContain('no table of rules');
    put('work/POLICY.md', `${DENY}\n`);
    expect(policy.decide(request(face('files.read'))).decision).toBe('allow');
  });

  test('asks until the first policy is loaded', async () => {
    const { put, load } = place({});
    const policy = await load();
    put('home/POLICY.md', ALLOW);
    expect(policy.decide(send)).toMatchObject({ decision: 'ask', rule: 'policy' });
    await import('../../src/policy/index.ts');
    await new Promise(setImmediate);
    expect(policy.decide(send)).toMatchObject({ decision: 'allow', rule: 'OKA_HOME/POLICY.md:3' });
  });
});
