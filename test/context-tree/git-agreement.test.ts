import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { agreeWithGit } from './agree-with-git.ts';
import { git, gitFiles } from './git-kit.ts';
import { leavesOf, treeKit } from './tree-kit.ts';

describe('the tree compared with git', () => {
  it('has the files that git has, for any ignore files', async () => {
    await agreeWithGit({ numRuns: 25, seed: 7 });
  });

  it('applies the excludes of a repository whose .git is a file: a worktree, and a separate git directory', async () => {
    const [main, elsewhere] = [tempFolder('main-'), tempFolder('elsewhere-')];
    git(main, 'init', '-q');
    const somebody = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
    git(main, ...somebody, 'commit', '-q', '--allow-empty', '-m', 'first');
    const trees = [join(elsewhere, 'beside'), join(elsewhere, 'apart')] as const;
    git(main, 'worktree', 'add', '-q', trees[0]);
    git(elsewhere, 'init', '-q', `--separate-git-dir=${join(elsewhere, 'kept')}`, trees[1]);
    for (const repository of [join(main, '.git'), join(elsewhere, 'kept')]) {
      mkdirSync(join(repository, 'info'), { recursive: true });
      writeFileSync(join(repository, 'info/exclude'), '*.tmp\n.oka\n');
    }
    for (const workspace of trees) {
      const kit = treeKit(workspace);
      kit.write({ 'a/one.txt': '1', 'a/two.tmp': '2' });
      await kit.scan();
      expect(await leavesOf(kit.tree)).toEqual(['a/one.txt']);
      expect(gitFiles(workspace)).toEqual(['a/one.txt']);
    }
    const [kit, pointer] = [treeKit(trees[0]), join(trees[0], '.git')];
    writeFileSync(pointer, `${readFileSync(pointer, 'utf8').trimEnd()}\r\n\n`);
    await kit.scan({ force: true });
    expect(await leavesOf(kit.tree)).toEqual(gitFiles(trees[0]));
  });

  it('reports the same changed files as git', async () => {
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
