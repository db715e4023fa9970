import { describe, it } from 'vitest';
import { agreeWithGit } from './agree-with-git.ts';

describe('the tree compared with git, at length', () => {
  it('has the files that git has, over thousands of generated trees', async () => {
    await agreeWithGit({ numRuns: 1_000 });
  });
});
