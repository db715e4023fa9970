import { describe, it } from 'vitest';
import { agreeWithGit } from './agree-with-git.ts';

const EXHAUSTIVE = process.env['OKA_EXHAUSTIVE'] === '1';

describe.runIf(EXHAUSTIVE)('the tree next to git, at length', () => {
  it('has the files that git has, over thousands of generated trees', async () => {
    await agreeWithGit({ numRuns: 1_000 });
  });
});
