import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { agreeWithGit } from './agree-with-git.ts';
import { git } from './git-kit.ts';
import { treeKit } from './tree-kit.ts';

describe('the tree beside git', () => {
  it('has the files that git has, whatever the ignore files say', async () => {
    await agreeWithGit({ numRuns: 25, seed: 7 });
  });

  it('says of the same files that they have changed', async () => {
    const kit = treeKit(tempFolder('tree-'));
    kit.write({
      'a/one.txt': '1',
      'a/b/two.txt': '2',
      'c/three.txt': '3',
      'four.txt': '4',
      '.gitignore': '*.log\n.oka\n',
    });
    git(kit.workspace, 'init', '-q');
    git(kit.workspace, 'add', '-A');
    const before = await kit.scan();
    writeFileSync(join(kit.workspace, 'a/b/two.txt'), 'x');
    rmSync(join(kit.workspace, 'c'), { recursive: true });
    mkdirSync(join(kit.workspace, 'd'));
    kit.write({ 'd/five.txt': '5', 'd/noise.log': 'n' });
    const after = await kit.scan();
    const { added, changed, removed } = await kit.tree.diff(before, after);
    const paths = (list: readonly { path: string; kind: string }[]): string[] =>
      list.filter(({ kind }) => kind !== 'directory').map(({ path }) => path);
    const status = git(kit.workspace, 'status', '--porcelain', '-uall').trimEnd().split('\n');
    const marked = (mark: string): string[] =>
      status.filter((line) => line.slice(0, 2).includes(mark)).map((line) => line.slice(3));
    expect(paths(changed)).toEqual(marked('M'));
    expect(paths(removed)).toEqual(marked('D'));
    expect(paths(added)).toEqual(marked('?'));
  });
});
