import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { commandHooks, WorkspaceProcesses } from '../../src/adapters/processes/index.ts';
import { createRedactor, systemClock } from '../../src/kernel/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('a hook works on a draft: what it may not change is said and not applied', async ({ skip }) => {
  const [workspace, drafts] = [tempFolder(), tempFolder()];
  const processes = new WorkspaceProcesses({
    ...{ workspace, drafts, toolFolders: [], sandbox: 'auto', clock: systemClock },
    files: new WorkspaceFiles(workspace),
  });
  if (processes.drafts.kind === 'none') return skip(processes.drafts.why);
  const script = 'echo made > made; mkdir .git; echo "[core]" > .git/config';
  const hooks = commandHooks(
    [{ on: 'before_node', command: ['sh', '-c', script], timeoutMs: 60_000, onFailure: 'ignore' }],
    { redactor: createRedactor(), launch: (program) => processes.launch(program) },
  );
  const [result] = await hooks.run('before_node', {});
  expect(result).toMatchObject({ ok: true, exitCode: 0 });
  expect(result?.output).toContain('.git/config was not applied');
  expect(readFileSync(join(workspace, 'made'), 'utf8')).toBe('made\n');
  expect(existsSync(join(workspace, '.git'))).toBe(false);
  expect(readdirSync(drafts)).toEqual([]);
});
