// Runs that the command line alone cannot bring about, made in the same workspace by an engine of the test's own.

import { FileArtifactStore, WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { processOwners } from '../../src/adapters/processes/index.ts';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { agentKind } from '../../src/agent/index.ts';
import { Engine, type Policy } from '../../src/engine/index.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import { OpenLedger } from '../../src/runtime/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { Workspace } from './oka-process.ts';

const ASK_BEFORE_WRITING: Policy = {
  version: 'test/1',
  decide: ({ tool }) =>
    tool.sideEffect === 'read'
      ? { decision: 'allow', rule: 'read', why: 'reading changes nothing' }
      : { decision: 'ask', rule: 'write', why: 'a person wants to see every write' },
};

/** Runs a goal until its write needs an approval. Answers with the ids of the run and of the approval. */
export async function parkBeforeWriting(
  workspace: Workspace,
  goal: string,
): Promise<{ run: string; approval: string }> {
  const ports = { clock: systemClock, random: systemRandom, owners: processOwners() };
  const folder = new WorkspaceFolder(workspace.root);
  const ledger = new OpenLedger(folder, ports);
  await ledger.startWriting();
  try {
    const artifacts = new FileArtifactStore(folder.objects, systemClock);
    const engine = new Engine({
      tools: builtInTools(),
      kinds: [agentKind()],
      events: ledger.events,
      runs: ledger.runs,
      owners: ports.owners,
      policy: ASK_BEFORE_WRITING,
      artifacts,
      capabilities: { files: new WorkspaceFiles(workspace.root), artifacts },
    });
    const { id, waiting } = await engine.run({ kind: 'agent', goal });
    if (waiting?.for !== 'approval') throw new Error(`it does not wait for an approval: ${waiting?.for}`);
    return { run: id, approval: waiting.id };
  } finally {
    await ledger.close();
  }
}

/** Runs a goal that asks something, at a time so long ago that the question has expired since. */
export async function askLongAgo(
  workspace: Workspace,
  goal: string,
): Promise<{ run: string; approval: string }> {
  const request = { goal, simulate: false, budgets: {}, patienceMs: 0 };
  const { run } = await workspace.inside((oka) => oka.do(request), new ManualClock());
  return { run: run.id, approval: run.waitingFor?.approval as string };
}
