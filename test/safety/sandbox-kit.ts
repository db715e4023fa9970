import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { openHostProxy } from '../../src/adapters/http/host-proxy.ts';
import { type EscapeAttempt, tryEscapes } from '../../src/adapters/processes/escapes/try-escapes.ts';
import { WorkspaceProcesses } from '../../src/adapters/processes/index.ts';
import type { WorkspaceProcessesOptions } from '../../src/adapters/processes/workspace-processes.ts';
import { systemClock } from '../../src/kernel/index.ts';
import type { ProcessRequest, ProcessResult } from '../../src/tools/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const HOUR_MS = 3_600_000;

/** Why tests of the sandbox are skipped here; undefined where it works. */
export const withoutSandbox = new WorkspaceProcesses({
  workspace: tmpdir(),
  toolFolders: [],
  sandbox: 'auto',
  clock: systemClock,
}).sandbox.why;

/** The title of tests that need the sandbox; it says when they are skipped. */
export const sandboxTitle = (title: string): string =>
  withoutSandbox === undefined ? title : `${title} (skipped: ${withoutSandbox})`;

export function openProcesses(
  workspace: string,
  options: Partial<WorkspaceProcessesOptions> = {},
): WorkspaceProcesses {
  return new WorkspaceProcesses({
    workspace,
    toolFolders: [],
    sandbox: 'auto',
    clock: systemClock,
    ...options,
  });
}

/** Runs a script with Node. */
export function runNode(
  processes: WorkspaceProcesses,
  script: string,
  request: Partial<ProcessRequest> = {},
): Promise<ProcessResult> {
  const argv = [process.execPath, '-e', script];
  return processes.run({ argv, timeoutMs: HOUR_MS, ...request }, new AbortController().signal);
}

/** Makes the attempts of the self-test with an empty home; on drafts, as programs are run, unless `drafts` is false. */
export function selfTest({ drafts = true } = {}): Promise<readonly EscapeAttempt[]> {
  const okaHome = tempFolder();
  writeFileSync(join(okaHome, 'key'), 'key');
  vi.stubEnv('HOME', tempFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  return tryEscapes({
    okaHome,
    sandbox: 'required',
    openProxy: (hosts) => openHostProxy({ hosts }),
    ...(drafts && { openFiles: (workspace: string) => new WorkspaceFiles(workspace) }),
  });
}
