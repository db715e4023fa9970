import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CredentialAnswer, CredentialListAnswer, LoggedUse } from '../../src/api/index.ts';
import { filesHolding } from '../vault/vault-kit.ts';
import { type Finished, toAnswer, toRefusal, Workspace } from './oka-process.ts';
import { noTerminal, Terminal } from './terminal.ts';

const VALUE = 'hunter2-hunter2';

/** A command that gets a value on its standard input. */
function given(
  workspace: Workspace,
  value: string | Uint8Array,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Finished> {
  return workspace.okaWith({ input: value, env }, 'vault', ...args, '--json');
}

const add = (workspace: Workspace, name: string, ...options: readonly string[]): Promise<Finished> =>
  given(workspace, `${VALUE}\n`, ['add', name, '--key-source', 'file', ...options]);

test('a credential is added, listed, rotated and revoked, and its value is in no plain file', async () => {
  const workspace = Workspace.trusted();
  const options = ['--scope', 'host:API.example.org', '--scope', 'mcp:github', '--account', 'me@example.org'];
  const added = toAnswer<CredentialAnswer>(
    await add(workspace, 'github', ...options, '--expires', '2999-01-31'),
  );
  expect(added).toMatchObject({
    exitCode: 0,
    data: {
      keySource: 'file',
      credential: {
        name: 'github',
        accountHint: 'me@example.org',
        scopes: ['host:api.example.org', 'mcp:github'],
        status: 'active',
        version: 1,
        expiresAt: Date.parse('2999-01-31T00:00:00Z'),
      },
    },
  });
  expect(added.data.credential).not.toHaveProperty('record');

  const rotated = toAnswer<CredentialAnswer>(await given(workspace, 'another value', ['rotate', 'github']));
  expect(rotated.data.credential).toMatchObject({ version: 2 });
  expect(rotated.data.credential).not.toHaveProperty('expiresAt');
  const { data: listed } = await workspace.answer<CredentialListAnswer>('vault', 'list');
  expect(listed).toEqual({ credentials: [rotated.data.credential], keySource: 'file', faults: [] });

  expect((await workspace.oka('vault', 'revoke', 'github')).stdout).toContain('status    revoked');
  expect(readFileSync(workspace.at('.oka/vault'), 'utf8').split('\n')).toHaveLength(3);
  await workspace.verified();
  expect(workspace.count('credential.rotated')).toBe(1);
  const folders = [workspace.root, workspace.home];
  expect(filesHolding(folders, VALUE, 'another value')).toEqual([]);
});

test.each([
  ['too short', 'abc\n', ['add', 'github'], 3, 'vault.too_short'],
  ['not text', Uint8Array.of(0xff, 1, 2, 3, 4, 5, 6, 7, 8), ['add', 'github'], 3, 'vault.not_text'],
  ['invalid as a name', VALUE, ['add', 'GitHub'], 3, 'vault.invalid_name'],
  ['without a valid scope', VALUE, ['add', 'github', '--scope', 'everything'], 3, 'vault.invalid_scope'],
  ['expired', VALUE, ['add', 'github', '--expires', '2001-01-31'], 3, 'vault.invalid_expiry'],
  ['without a valid expiry', VALUE, ['add', 'github', '--expires', 'soon'], 2, 'cli.usage'],
  ['given as an argument', '', ['add', 'github', VALUE], 2, 'cli.usage'],
  ['unknown', VALUE, ['rotate', 'github'], 3, 'vault.unknown'],
])('a value that is %s is rejected and not printed', async (_how, value, args, exitCode, code) => {
  const workspace = Workspace.trusted();
  const finished = await given(workspace, value, args);
  expect(toRefusal(finished)).toMatchObject({ exitCode, error: { code } });
  expect(finished.stdout).not.toContain(VALUE);
  expect(workspace.has('.oka/vault')).toBe(false);
});

test('an untrusted workspace stores no credentials', async () => {
  const workspace = new Workspace();
  const { exitCode, error } = toRefusal(await add(workspace, 'github'));
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 4, code: 'config.not_trusted' });
});

test('processes that add at the same time lose nothing and share one key', async () => {
  const workspace = Workspace.trusted();
  const names = ['a', 'b', 'c', 'd', 'e'];
  const finished = await Promise.all([...names, 'a'].map((name) => add(workspace, name)));
  const refused = finished.filter(({ exitCode }) => exitCode !== 0);
  expect(refused.map(toRefusal)).toMatchObject([{ error: { code: 'vault.exists' } }]);
  const { data } = await workspace.answer<CredentialListAnswer>('vault', 'list');
  expect(data.credentials.map(({ name }) => name)).toEqual(names);
  expect(data.faults).toEqual([]);
  expect(readdirSync(join(workspace.home, 'keys'))).toHaveLength(1);
  await workspace.verified();
});

test('vault list reports a damaged file and the lost values', async () => {
  const workspace = Workspace.trusted();
  await add(workspace, 'a');
  workspace.put('.oka/vault', workspace.text('.oka/vault').replace('"version":1', '"version":2'));
  const { exitCode, data } = await workspace.answer<CredentialListAnswer>('vault', 'list');
  expect(exitCode).toBe(7);
  expect(data.faults).toContainEqual({ where: 'credential a', what: 'its value is lost' });
  workspace.put('.oka/vault', 'nonsense');
  const second = await workspace.answer<CredentialListAnswer>('vault', 'list');
  expect(second.exitCode).toBe(7);
  expect(second.data.credentials).toHaveLength(1);
});

test('a value is not printed without a terminal', async () => {
  const workspace = Workspace.trusted();
  await add(workspace, 'github');
  const { exitCode, error } = await workspace.refusal('vault', 'show', 'github', '--reveal');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 2, code: 'cli.usage' });
  expect(workspace.count('credential.used')).toBe(0);
});

test('a vault with a passphrase opens with the passphrase in the environment', async () => {
  const workspace = Workspace.trusted();
  const env = { OKA_VAULT_PASSPHRASE: 'correct horse battery' };
  const args = ['add', 'github', '--key-source', 'passphrase'];
  expect(toRefusal(await given(workspace, VALUE, args))).toMatchObject({
    exitCode: 4,
    error: { code: 'vault.passphrase_needed' },
  });
  expect(toAnswer<CredentialAnswer>(await given(workspace, VALUE, args, env)).data.keySource).toBe(
    'passphrase',
  );
  const wrong = await given(workspace, VALUE, ['rotate', 'github'], { OKA_VAULT_PASSPHRASE: 'wrong horse' });
  expect(toRefusal(wrong)).toMatchObject({ exitCode: 1, error: { code: 'vault.wrong_key' } });
  expect(filesHolding([workspace.root, workspace.home], 'correct horse battery')).toEqual([]);
});

describe.skipIf(noTerminal)('on a terminal', () => {
  test('a typed value is hidden, and showing it needs a confirmation and is recorded', async () => {
    const workspace = Workspace.trusted();
    const adding = new Terminal(workspace, ['vault', 'add', 'github', '--key-source', 'file']);
    await adding.shows(/Value of github/);
    adding.type(VALUE);
    adding.press('Enter');
    expect(await adding.exitCode()).toBe(0);
    expect(await adding.shows(/status {4}active/)).not.toContain(VALUE);

    const showing = new Terminal(workspace, ['vault', 'show', 'github', '--reveal']);
    await showing.shows(/Show the value of github/);
    showing.type('y');
    await showing.shows(new RegExp(VALUE));
    expect(await showing.exitCode()).toBe(0);
    const { data } = await workspace.answer<{ uses: LoggedUse[] }>('vault', 'use-log', 'github');
    expect(data.uses).toMatchObject([{ outcome: 'used', tool: 'vault.show' }]);

    const declining = new Terminal(workspace, ['vault', 'show', 'github', '--reveal']);
    await declining.shows(/Show the value of github/);
    declining.type('n');
    expect(await declining.exitCode()).toBe(4);
    expect(workspace.count('credential.used')).toBe(1);
  });

  test('a new passphrase is entered twice, an existing one once', async () => {
    const workspace = Workspace.trusted();
    const adding = new Terminal(workspace, ['vault', 'add', 'github', '--key-source', 'passphrase']);
    for (const [question, answer] of [
      [/Value of github/, VALUE],
      [/New passphrase/, 'correct horse'],
      [/Repeat the passphrase/, 'correct horse'],
    ] as const) {
      await adding.shows(question);
      adding.type(answer);
      adding.press('Enter');
    }
    expect(await adding.exitCode()).toBe(0);
    const showing = new Terminal(workspace, ['vault', 'show', 'github', '--reveal']);
    await showing.shows(/Show the value of github/);
    showing.type('y');
    await showing.shows(/Passphrase of the vault/);
    showing.type('correct horse');
    showing.press('Enter');
    await showing.shows(new RegExp(VALUE));
    expect(await showing.exitCode()).toBe(0);
  });
});
