import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GrantFiles } from '../../src/adapters/workspace/index.ts';
import { OPERATIONS } from '../../src/api/index.ts';
import { statusOf } from '../../src/engine/index.ts';
import { openApproval } from '../support/engine-kit.ts';
import { programsKit, withoutSandbox } from './programs-kit.ts';

const DAY_MS = 86_400_000;
const COMMIT = { argv: ['git', 'commit', '-m', 'first message'] };

describe.skipIf(withoutSandbox)(
  `a remembered approval${withoutSandbox ? ` (skipped: ${withoutSandbox})` : ''}`,
  () => {
    it('covers exactly the words of the command', async () => {
      const { remember, asks, put } = programsKit();
      put('work/a.txt', 'a');
      await remember(COMMIT);
      const message = [...COMMIT.argv];
      for (const wider of [
        { argv: ['git', 'commit', '-m', 'another message'] },
        { argv: ['git', 'commit', '-m', '…'] },
        { argv: ['git', 'push'] },
        { argv: [...message, '--amend'] },
        { argv: ['git', '-c', 'core.editor=sh', 'commit', '-m', 'first message'] },
        { argv: [...message, 'a.txt'] },
        { argv: [...message, '.'] },
        { argv: message, network: true },
        { argv: message, cwd: '.oka/..' },
        { argv: message, env: { GIT_AUTHOR_NAME: 'mallory' } },
        { argv: message, secrets: { TOKEN: 'github' } },
        { argv: message, stdin: 'text' },
        { argv: message, timeout_seconds: 3_600 },
      ])
        expect([wider, await asks(wider)]).toEqual([wider, true]);
      expect(await asks({ argv: message, timeout_seconds: 60 })).toBe(false);
    });

    it('does not cover other code of a program that takes code as an argument', async () => {
      const { remember, asks } = programsKit();
      const query = ['printf', 'data', 'select name from beds'];
      await remember({ argv: query });
      expect(await asks({ argv: query })).toBe(false);
      for (const code of ['drop table beds', '.shell touch x', 'select name from bed'])
        expect([code, await asks({ argv: ['printf', 'data', code] })]).toEqual([code, true]);
    });

    it('covers code and scripts only as they were', async () => {
      const { remember, asks, put } = programsKit();
      const script = put('work/build.js', '0');
      await remember({ argv: ['node', '-e', 'console.log( 1 )'] });
      expect(await asks({ argv: ['node', '-e', 'console.log( 1 )'] })).toBe(false);
      expect(await asks({ argv: ['node', '-e', 'console.log( 2 )'] })).toBe(true);
      await remember({ argv: ['node', 'build.js'] }, 'exact');
      expect(await asks({ argv: ['node', 'build.js'] })).toBe(false);
      writeFileSync(script, '1');
      expect(await asks({ argv: ['node', 'build.js'] })).toBe(true);
    });

    it('ends when its program is replaced', async () => {
      const { remember, asks, put, addToPath } = programsKit();
      const program = put('own/oka-test-own', '#!/bin/sh\necho one\n', 0o755);
      addToPath(join(program, '..'));
      await remember({ argv: ['oka-test-own', 'status'] });
      expect(await asks({ argv: ['oka-test-own', 'status'] })).toBe(false);
      writeFileSync(program, '#!/bin/sh\necho two\n');
      expect(await asks({ argv: ['oka-test-own', 'status'] })).toBe(true);
    });

    it('expires after 30 days, and can be listed and revoked by another process before', async () => {
      const { remember, asks, clock, grants, home, identity } = programsKit();
      await remember(COMMIT);
      const [grant] = grants.list();
      expect(grant).toMatchObject({
        tool: 'process.run',
        covers: 'git commit -m "first message"',
        by: 'ann',
        expiresAt: clock.now() + 30 * DAY_MS,
      });
      clock.advance(30 * DAY_MS - 1);
      expect(await asks(COMMIT)).toBe(false);
      clock.advance(1);
      expect(await asks(COMMIT)).toBe(true);
      expect(grants.list()).toMatchObject([{ void: 'expired' }]);
      await remember(COMMIT);
      expect(await asks(COMMIT)).toBe(false);
      const elsewhere = new GrantFiles(home, identity, clock);
      elsewhere.revoke(new Set(elsewhere.list().map(({ id }) => id)));
      expect(await asks(COMMIT)).toBe(true);
      expect(readdirSync(join(home, 'grants'))).toHaveLength(1);
    });

    it('holds for its workspace, not for a copy or another workspace at its path', async () => {
      const { remember, around, workspace, clock, home } = programsKit();
      await remember(COMMIT);
      renameSync(workspace, join(around, 'moved'));
      const other = programsKit({ around, clock });
      expect(await other.asks(COMMIT)).toBe(true);
      expect(new GrantFiles(home, other.identity, clock).list()).toEqual([]);
      renameSync(workspace, join(around, 'other'));
      renameSync(join(around, 'moved'), workspace);
      expect(await programsKit({ around, clock }).asks(COMMIT)).toBe(false);
    });

    it('of a version that let texts differ covers nothing, and the list says why', async () => {
      const { remember, asks, grants } = programsKit();
      await remember(COMMIT);
      const [grant] = grants.list();
      if (grant?.binding === undefined) throw new Error('There is no grant.');
      grants.revoke(new Set([grant.id]));
      const { void: _, ...given } = grant;
      const scope = { ...(grant.binding.scope as object), argv: ['git', 'commit', '-m', '…'] };
      await grants.add({ ...given, binding: { ...grant.binding, scope } });
      expect(await asks(COMMIT)).toBe(true);
      expect(grants.list()).toMatchObject([{ void: expect.stringContaining('any text') }]);
    });

    it('of an earlier version covers nothing, is listed, and can be revoked', async () => {
      const { asks, home, workspace, grants, put } = programsKit();
      const old = [{ tool: 'process.run', by: 'ann', at: 1 }];
      put('home/grants.json', JSON.stringify({ workspaces: { [workspace]: old, '/other': old } }));
      expect(await asks(COMMIT)).toBe(true);
      expect(grants.list()).toMatchObject([
        { id: 'earlier-1', tool: 'process.run', void: expect.any(String) },
      ]);
      grants.revoke(new Set(['earlier-1']));
      expect(grants.list()).toEqual([]);
      expect(home).toBeTruthy();
    });
  },
);

it('is never remembered for a call with network access or without a sandbox', async () => {
  const open = programsKit({ sandbox: 'off' });
  await open.start(COMMIT);
  const approval = await openApproval(open.engine);
  expect(approval.known).toContainEqual(
    expect.stringMatching(/^Not remembered: programs run without a sandbox/),
  );
  const remembered = open.engine.decide(approval.id, { kind: 'approve', remember: 'exact' }, 'ann');
  await expect(remembered).rejects.toMatchObject({ code: 'engine.not_remembered' });
  expect((await openApproval(open.engine)).id).toBe(approval.id);
  expect(open.grants.list()).toEqual([]);
  expect(statusOf(await open.approve())).toBe('completed');

  const networked = programsKit();
  await networked.start({ ...COMMIT, network: true });
  await expect(networked.approve({ remember: 'tool' })).rejects.toMatchObject({
    code: 'engine.not_remembered',
  });
});

it('reaches grants only from the process of a person: no daemon, tool or server offers the operations', () => {
  const names = Object.entries(OPERATIONS).filter(([name]) => name.startsWith('grants.'));
  expect(names.length).toBeGreaterThan(0);
  for (const [, { kind }] of names) expect(kind).toBe('here');
});
