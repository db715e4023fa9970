import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type DraftFolders, probeDrafts } from '../../src/adapters/processes/draft-support.ts';
import { findProgram } from '../../src/adapters/processes/workspace-programs.ts';
import { Oka } from '../../src/runtime/index.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { sandboxTitle, withoutSandbox } from './sandbox-kit.ts';

const WITHOUT_ENTRY = 54_321;
const canChangeUser = process.getuid?.() === 0 && findProgram('setpriv') !== undefined;
const NEEDED = ['bwrap', 'true', 'sh', 'mount', 'unshare'];

function probe(options: Partial<DraftFolders> = {}) {
  return probeDrafts({ state: tempFolder(), workspace: tempFolder(), ...options });
}

/** A PATH with these programs only. */
function pathWith(names: readonly string[]): void {
  const folder = tempFolder();
  for (const name of names) {
    const found = findProgram(name);
    if (found !== undefined) symlinkSync(found, join(folder, name));
  }
  vi.stubEnv('PATH', folder);
}

beforeEach(() => onTestFinished(() => void vi.unstubAllEnvs()));

describe('the kind of draft of a machine', () => {
  it('is none where bubblewrap is hidden, because a program could reach the workspace itself', () => {
    pathWith(NEEDED.filter((name) => name !== 'bwrap'));
    expect(probe()).toEqual({
      kind: 'none',
      why: 'bubblewrap (bwrap) is not installed',
    });
  });

  it('leaves nothing in the state folder', () => {
    const state = join(tempFolder(), 'not made yet');
    probe({ state });
    expect(readdirSync(state)).toEqual([]);
  });

  describe.skipIf(withoutSandbox !== undefined)(sandboxTitle('with bubblewrap'), () => {
    it.each(['unshare', 'mount', 'sh'])('is a copy where "%s" is hidden', (hidden) => {
      pathWith(NEEDED.filter((name) => name !== hidden));
      expect(probe()).toEqual({ kind: 'copy', why: `there is no "${hidden}" on the PATH` });
    });

    it('is a copy where the state folder is inside the workspace, or on a file system that is no upper layer', () => {
      const workspace = tempFolder();
      expect(probe({ workspace, state: join(workspace, 'state') })).toMatchObject({ kind: 'copy' });
      const { kind, why } = probe({ state: '/proc/self' });
      expect([kind, why]).toEqual(['copy', expect.stringContaining('/proc/self')]);
    });
  });

  const missing = probeHere();
  const title = missing === undefined ? 'with overlayfs' : `with overlayfs (skipped: ${missing})`;
  describe.skipIf(missing !== undefined)(title, () => {
    it('is an overlay, also with paths that mount options would split', () => {
      const base = tempFolder('oka ,:\\"ü ');
      const [state, workspace] = [join(base, 'a:b,c\\'), join(base, 'w:x,y\\')];
      mkdirSync(workspace);
      expect(probe({ state, workspace })).toMatchObject({ kind: 'overlay', why: expect.any(String) });
    });

    it('shows the workspace to a command, and records in the upper folder what it writes', () => {
      const draft = tempFolder();
      const workspace = tempFolder();
      for (const name of ['upper', 'work', 'view']) mkdirSync(join(draft, name));
      symlinkSync(workspace, join(draft, 'lower'));
      const support = probe({ workspace });
      if (support.kind !== 'overlay') throw new Error(support.why);
      const [program = '', ...args] = [
        ...support.enter(draft),
        ...[findProgram('sh') ?? 'sh', '-c', 'echo new > view/made'],
      ];
      expect(spawnSync(program, args, { env: {} }).status).toBe(0);
      expect(readFileSync(join(draft, 'upper', 'made'), 'utf8')).toBe('new\n');
      expect(readdirSync(workspace)).toEqual([]);
      chmodSync(join(draft, 'work', 'work'), 0o700);
    });

    const behaviour = 'is the same for a user without rights';
    it.skipIf(!canChangeUser)(
      canChangeUser ? behaviour : `${behaviour} (skipped: only root can change the user)`,
      async () => {
        const program = await bundleWorker(join(import.meta.dirname, 'draft-support-program.ts'), {
          whole: true,
        });
        const folder = tempFolder();
        for (const name of [folder, join(folder, 'state'), join(folder, 'workspace')]) {
          mkdirSync(name, { recursive: true });
          chownSync(name, WITHOUT_ENTRY, WITHOUT_ENTRY);
        }
        const user = ['--reuid', WITHOUT_ENTRY, '--regid', WITHOUT_ENTRY, '--clear-groups'].map(String);
        const node = [process.execPath, '--input-type=module', '-', 'state', 'workspace'];
        const { stdout, stderr } = spawnSync('setpriv', [...user, ...node], {
          cwd: folder,
          input: readFileSync(program),
          encoding: 'utf8',
        });
        expect(stderr).toBe('');
        expect(JSON.parse(stdout)).toMatchObject({ kind: 'overlay' });
        expect(readdirSync(join(folder, 'state'))).toEqual([]);
      },
    );
  });
});

it.each([
  ['bwrap', 'none: bubblewrap (bwrap) is not installed; a program works on the workspace itself'],
  ...(withoutSandbox === undefined
    ? [['unshare', 'copy: there is no "unshare" on the PATH; a program works on a copy of the workspace']]
    : []),
])('doctor says what is missing where "%s" is hidden', async (hidden, detail) => {
  const [workspace, home] = [tempFolder(), tempFolder()];
  pathWith(NEEDED.filter((name) => name !== hidden));
  const oka = new Oka({ workspace, home });
  const { checks } = await oka.doctor({ models: false });
  await oka.close();
  expect(checks).toContainEqual({
    name: 'drafts',
    ok: true,
    warning: true,
    detail: expect.stringContaining(detail),
  });
});

/** Why overlays do not work here. */
function probeHere(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'oka-drafts-'));
  const workspace = join(folder, 'workspace');
  mkdirSync(workspace);
  const { kind, why } = probeDrafts({ state: join(folder, 'state'), workspace });
  rmSync(folder, { recursive: true });
  return kind === 'overlay' ? undefined : why;
}
