// The vault under each kind of key, and the native keyring.

import { expect, test } from 'vitest';
import { type Failure, toAnswer, toRefusal, Watched, type Workspace } from '../../cli/oka-process.ts';
import { type Area, allowAll, callTool, succeed } from './area.ts';

const VALUE = 'hunter2-hunter2';

function add(workspace: Workspace, keySource: string, env: NodeJS.ProcessEnv = {}) {
  const words = ['vault', 'add', 'token', '--scope', '*', '--key-source', keySource, '--json'];
  const adding = new Watched([...workspace.command, ...words], {
    cwd: workspace.root,
    env: { ...workspace.environment, ...env },
  });
  adding.child.stdin?.end(`${VALUE}\n`);
  return adding.ended;
}

export function vaultArea({ open, recorded }: Area): void {
  test.each(['file', 'passphrase'])(
    'a credential is kept under a %s and handed to a program',
    async (source) => {
      const workspace = await open({ env: { OKA_VAULT_PASSPHRASE: 'correct horse battery' } });
      allowAll(workspace);
      expect(toAnswer(await add(workspace, source)).data).toMatchObject({ keySource: source });
      workspace.put('length.cjs', "console.log('it has', process.env.TOKEN.length, 'letters');");
      const input = { argv: ['node', 'length.cjs'], secrets: { TOKEN: 'token' } };
      const output = await callTool(workspace, 'process.run', input);
      expect(JSON.stringify(output)).toContain(`it has ${VALUE.length} letters`);
      expect(await succeed(workspace, 'vault', 'use-log')).toContain('process.run');
      await succeed(workspace, 'vault', 'revoke', 'token');
    },
  );

  test('the native keyring is loaded, and says so where the machine has none', async () => {
    const workspace = await open({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' } });
    const { error } = toRefusal(await add(workspace, 'keyring')) as { error: Failure };
    expect(error.code).toBe('vault.keyring_unavailable');
    expect(error.message).not.toMatch(/cannot find|is not a constructor/i);
    expect(recorded().join('\n')).toMatch(/@napi-rs\/keyring\//);
  });
}
