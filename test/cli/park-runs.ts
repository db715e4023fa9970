// Runs that the command line alone cannot bring about, made in the same workspace by an engine of the test's own.

import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { processOwners } from '../../src/adapters/processes/index.ts';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { agentKind } from '../../src/agent/index.ts';
import type { RunAnswer } from '../../src/api/index.ts';
import { ledgerLocation } from '../../src/config/index.ts';
import { Engine, type Policy } from '../../src/engine/index.ts';
import { type Clock, systemClock, systemRandom } from '../../src/kernel/index.ts';
import { Oka, SqliteLedger } from '../../src/runtime/index.ts';
import { openArtifacts } from '../../src/runtime/ledger/open-artifacts.ts';
import type { OpenLedger } from '../../src/runtime/ledger/open-ledger.ts';
import { PostgresLedger } from '../../src/runtime/ledger/postgres-ledger.ts';
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
  const { root, home } = workspace;
  const location = ledgerLocation({ home, workspace: root, id: folder.identity().id });
  const ledger: OpenLedger = location
    ? new PostgresLedger(folder, ports, { ...location, home })
    : new SqliteLedger(folder, ports);
  await ledger.startWriting();
  try {
    const artifacts = openArtifacts({ folder, clock: systemClock }, ledger);
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

/** Runs a goal by the library, at a time so long ago that what it asks has expired since. */
export async function askLongAgo(
  workspace: Workspace,
  goal: string,
): Promise<{ run: string; approval: string }> {
  const { run } = await runByLibrary(workspace, goal, new ManualClock());
  return { run: run.id, approval: run.waitingFor?.approval as string };
}

export async function runByLibrary(workspace: Workspace, goal: string, clock?: Clock): Promise<RunAnswer> {
  const oka = new Oka({ workspace: workspace.root, home: workspace.home, ...(clock ? { clock } : {}) });
  try {
    return await oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0 });
  } finally {
    await oka.close();
  }
}
