import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.ts';
import { BRIEF, type Workspace } from '../cli/oka-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Pursues a goal with the built command line. Tells whether it loaded the OpenTelemetry SDK. */
export async function runBrief(workspace: Workspace, env: NodeJS.ProcessEnv, ...options: readonly string[]) {
  const report = join(tempFolder(), 'loaded');
  const loading = {
    NODE_OPTIONS: `--require ${join(root, 'test/installed/record-loaded.cjs')}`,
    OKA_TEST_LOADED: report,
  };
  const started = workspace.startIn(workspace.root, { ...loading, ...env }, 'do', BRIEF, ...options);
  return { ...(await started.ended), loadsSdk: readFileSync(report, 'utf8').includes('telemetry-export') };
}
