import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseName, showName } from './setting-names.ts';
import {
  type ConfigOwner,
  changeSetting,
  getSetting,
  listSettings,
  settingsWithoutEffect,
} from './settings.ts';

function files(user?: string, project?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'oka-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [userFile, projectFile] = [join(folder, 'user', 'config.json'), join(folder, 'project.json')];
  if (user !== undefined) writeFileSync(join(folder, 'user.json'), user);
  const mine = user === undefined ? userFile : join(folder, 'user.json');
  if (project !== undefined) writeFileSync(projectFile, project);
  const file = (owner: ConfigOwner) => ({
    owner,
    file: owner === 'user' ? mine : projectFile,
    userFile: mine,
  });
  return {
    set: (name: string, text: string | undefined, owner: ConfigOwner = 'user') =>
      changeSetting(file(owner), name, text),
    get: (name: string, owner: ConfigOwner = 'user') => getSetting(file(owner), name),
    list: (owner: ConfigOwner = 'user') => listSettings(file(owner)),
    withoutEffect: () => settingsWithoutEffect(file('project'), mine),
    text: (owner: ConfigOwner = 'user') => readFileSync(file(owner).file, 'utf8'),
    exists: (owner: ConfigOwner) => existsSync(file(owner).file),
  };
}

test('a setting is written into a file that does not exist yet, and read again', async () => {
  const config = files();
  expect(await config.set('limits.steps', '200')).toEqual({ changed: true, value: 200 });
  expect(await config.get('limits.steps')).toBe(200);
  expect(await config.get('limits')).toEqual({ steps: 200 });
  expect(await config.set('limits.steps', '200')).toEqual({ changed: false, value: 200 });
});

test('the file keeps its indentation and the order of its keys', async () => {
  const config = files('{\n    "sandbox": "auto",\n    "limits": { "steps": 5 }\n}\n');
  await config.set('limits.cost_usd', '2');
  expect(config.text()).toBe(
    '{\n    "sandbox": "auto",\n    "limits": {\n        "steps": 5,\n        "cost_usd": 2\n    }\n}\n',
  );
});

test('a text is JSON where the setting needs it, and a string otherwise', async () => {
  const config = files();
  await config.set('default_model', 'ollama/llama3.2');
  await config.set('allow_private', '["127.0.0.1:8080"]');
  await config.set('always_sync', 'true');
  await config.set('retention.runs', '90d');
  await config.set('models.local', '{"provider":"ollama","model":"7"}');
  await config.set('models.local.model', '8');
  expect(await config.list()).toEqual([
    { name: 'default_model', value: 'ollama/llama3.2' },
    { name: 'allow_private', value: ['127.0.0.1:8080'] },
    { name: 'always_sync', value: true },
    { name: 'retention.runs', value: '90d' },
    { name: 'models.local.provider', value: 'ollama' },
    { name: 'models.local.model', value: '8' },
  ]);
});

test('an unset setting is removed, together with an object that becomes empty', async () => {
  const config = files('{ "limits": { "steps": 5 }, "always_sync": true }');
  expect(await config.set('limits.steps', undefined)).toEqual({ changed: true });
  expect(await config.list()).toEqual([{ name: 'always_sync', value: true }]);
  expect(await config.set('limits.steps', undefined)).toEqual({ changed: false });
});

test.each([
  ['limts.steps', /Did you mean "limits\.steps"\?/],
  ['sandbox_limits.memry_mb', /Did you mean "sandbox_limits\.memory_mb"\?/],
  ['limits..steps', /Invalid setting/],
  ['', /Invalid setting/],
])('the unknown name "%s" is refused with a suggestion', async (name, message) => {
  const config = files();
  await expect(config.set(name, '1')).rejects.toThrow(message);
  expect(config.exists('user')).toBe(false);
});

test('an invalid value is refused, and the file stays unchanged', async () => {
  const config = files('{ "sandbox": "auto" }');
  await expect(config.set('sandbox', 'of')).rejects.toThrow(/^Invalid value for sandbox\. /);
  await expect(config.set('limits.steps', '-1')).rejects.toThrow(/^Invalid value for limits\.steps\. /);
  expect(config.text()).toBe('{ "sandbox": "auto" }');
});

test.each([
  ['sandbox', 'off', '{}'],
  ['limits.steps', '100', '{ "limits": { "steps": 50 } }'],
  ['approval_expires_seconds', '99999', '{ "approval_expires_seconds": 60 }'],
  ['chat.turns', '100', '{ "chat": { "turns": 5 } }'],
  ['retention.runs', '1d', '{ "retention": { "runs": "90d" } }'],
])('a project cannot loosen %s', async (name, value, user) => {
  const config = files(user);
  await expect(config.set(name, value, 'project')).rejects.toThrow(/can only tighten/);
  expect(config.exists('project')).toBe(false);
});

test('a project can tighten a setting, and cannot set a user-only one', async () => {
  const config = files('{ "limits": { "steps": 50 } }');
  expect(await config.set('limits.steps', '10', 'project')).toEqual({ changed: true, value: 10 });
  expect(await config.set('sandbox', 'required', 'project')).toMatchObject({ changed: true });
  await expect(config.set('sandbox_read', '["/etc"]', 'project')).rejects.toThrow(/only be set in your own/);
  await expect(config.get('trust_workspace_text', 'project')).rejects.toThrow(/only be set in your own/);
});

test('a secret that was written into a file is not printed', async () => {
  const key = `sk-${'a1B2c3D4'.repeat(6)}`;
  const config = files();
  await config.set('replication', '{"http":{"url":"https://ada:hunter2@example.org/x"}}');
  await config.set('hooks', JSON.stringify([{ on: 'after_run', command: ['notify', key] }]));
  const printed = JSON.stringify(await config.list());
  expect(printed).not.toContain('hunter2');
  expect(printed).not.toContain(key);
  expect(config.text()).toContain(key);
});

test('a file that is not JSON is reported and not replaced', async () => {
  const config = files('{ "limits": ');
  await expect(config.set('limits.steps', '1')).rejects.toThrow(/is not JSON/);
  expect(config.text()).toBe('{ "limits": ');
});

test('a name with a dot in it is quoted', () => {
  expect(parseName('prices."openai/gpt-4.1".input')).toEqual(['prices', 'openai/gpt-4.1', 'input']);
  expect(showName(['prices', 'openai/gpt-4.1', 'input'])).toBe('prices."openai/gpt-4.1".input');
});

test('a project that only loosens a setting has no effect, and the list can say so', async () => {
  const { withoutEffect } = files('{"limits":{"steps":10}}', '{"sandbox":"off","limits":{"steps":5}}');
  expect([...(await withoutEffect())]).toEqual(['sandbox']);
});
