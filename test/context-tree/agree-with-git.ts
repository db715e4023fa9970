import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { generatedTree, git, gitFiles, writeTree } from './git-kit.ts';
import { leavesOf, treeKit } from './tree-kit.ts';

/** Holds that the tree has the files that git has, over generated trees. */
export async function agreeWithGit(options: {
  readonly numRuns: number;
  readonly seed?: number;
}): Promise<void> {
  const kit = treeKit(tempFolder('tree-'));
  git(kit.workspace, 'init', '-q');
  await fc.assert(
    fc.asyncProperty(generatedTree, async (generated) => {
      for (const name of readdirSync(kit.workspace))
        if (name !== '.git' && name !== '.oka')
          rmSync(join(kit.workspace, name), { recursive: true, force: true });
      writeTree(kit.workspace, generated);
      await kit.scan();
      const ours = (await leavesOf(kit.tree)).map((path) => path.replaceAll('\\\\', '\\')).sort();
      expect(ours).toEqual(gitFiles(kit.workspace).filter((path) => !path.startsWith('.oka/')));
    }),
    options,
  );
}
