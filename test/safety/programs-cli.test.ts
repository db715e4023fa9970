import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApprovalView, GrantView } from '../../src/api/index.ts';
import { Workspace } from '../cli/oka-process.ts';
import { withoutSandbox } from './programs-kit.ts';

const INPUT = JSON.stringify({ argv: ['node', 'build.js'] });

/** A workspace whose owner wants to be asked about programs. */
function asking(): Workspace {
  const workspace = Workspace.trusted({ files: { 'build.js': '0' } });
  const rows = '| match | decision | why |\n|---|---|---|\n| process.run | ask | I look at each program |\n';
  workspace.putAtHome('POLICY.md', rows);
  return workspace;
}

async function ask(workspace: Workspace): Promise<string | undefined> {
  const { data } = await workspace.answer('tools', 'call', 'process.run', INPUT);
  return data.run.waitingFor?.approval;
}

it.skipIf(withoutSandbox)(
  `lists a remembered approval, revokes it, and asks again${withoutSandbox ? ` (skipped: ${withoutSandbox})` : ''}`,
  async () => {
    const workspace = asking();
    const approval = (await ask(workspace)) as string;
    const { data } = await workspace.answer<{ approval: ApprovalView }>('approvals', 'show', approval);
    expect(data.approval.known?.[1]).toContain(join(workspace.root, 'build.js'));
    await workspace.answer('approvals', 'approve', approval, '--remember', 'exact');
    expect(await ask(workspace)).toBeUndefined();

    const listed = await workspace.answer<{ grants: GrantView[] }>('grants', 'list');
    expect(listed.data.grants).toEqual([
      {
        id: expect.any(String),
        tool: 'process.run',
        covers: 'exactly: node build.js',
        program: expect.stringContaining('node'),
        workspace: workspace.root,
        by: expect.any(String),
        at: expect.any(Number),
        expiresAt: (listed.data.grants[0]?.at ?? 0) + 30 * 86_400_000,
        active: true,
      },
    ]);
    expect(await workspace.refusal('grants', 'revoke')).toMatchObject({ error: { code: 'cli.usage' } });
    expect(await workspace.refusal('grants', 'revoke', 'no-such')).toMatchObject({
      error: { code: 'engine.unknown_grant' },
    });
    const id = listed.data.grants[0]?.id as string;
    const revoked = await workspace.answer<{ revoked: GrantView[] }>('grants', 'revoke', id);
    expect(revoked.data.revoked).toMatchObject([{ id }]);
    expect((await workspace.answer('grants', 'list')).data).toEqual({ grants: [] });
    expect(await ask(workspace)).toBeDefined();
  },
);

it('asks again about a script that changed after its approval', async () => {
  const workspace = asking();
  const approval = (await ask(workspace)) as string;
  writeFileSync(join(workspace.root, 'build.js'), '1');
  const { exitCode, data } = await workspace.answer('approvals', 'approve', approval);
  expect(exitCode).toBe(4);
  expect(data.run.waitingFor?.detail).toContain('build.js changed after the call was approved');
  const again = await workspace.answer('approvals', 'approve', data.run.waitingFor?.approval as string);
  expect(again).toMatchObject({ exitCode: 0, data: { run: { status: 'completed' } } });
});
