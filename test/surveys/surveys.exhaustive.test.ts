import { describe, test } from 'vitest';
import { AgentWorkspace } from '../support/agent-workspace.ts';
import { expectTruth, fill } from './survey-kit.ts';

describe('counts and sums equal a plain loop over the disk', () => {
  test.each(Array.from({ length: 200 }, (_, i) => 100 + i))('in generated workspace %i', async (seed) => {
    const workspace = new AgentWorkspace();
    fill(workspace.root, seed, seed % 150);
    await expectTruth(workspace, seed % 3);
  });

  test('in a workspace of 60,000 files', async () => {
    const workspace = new AgentWorkspace();
    fill(workspace.root, 1, 60_000);
    await expectTruth(workspace);
  });
});
