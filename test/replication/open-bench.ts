import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { ReplicationConfig } from '../../src/config/index.ts';
import type { Owners } from '../../src/engine/index.ts';
import { type Clock, createRedactor, systemRandom } from '../../src/kernel/index.ts';
import type { OpenLedger } from '../../src/runtime/ledger/open-ledger.ts';
import { SqliteLedger } from '../../src/runtime/ledger/sqlite-ledger.ts';

export interface BenchOptions {
  readonly workspace: string;
  readonly clock: Clock;
  readonly owners: Owners;
  readonly replication?: ReplicationConfig | undefined;
  readonly secret?: (name: string, use: { tool: string; host?: string }) => string | undefined;
}

/** What replication and memory need of a workspace, on a real ledger. */
export function openBench({ workspace, replication, secret, ...options }: BenchOptions) {
  mkdirSync(join(workspace, '.oka'), { recursive: true });
  const folder = new WorkspaceFolder(workspace);
  const ports = { ...options, random: systemRandom };
  const ledger = new SqliteLedger(folder, ports);
  const writable = async (): Promise<OpenLedger> => {
    await ledger.startWriting();
    return ledger;
  };
  return {
    ...ports,
    folder,
    redactor: createRedactor(),
    ledger: () => ledger,
    writable,
    writableRedacted: writable,
    requireTrust: () => undefined,
    config: async () => (replication ? { replication } : {}),
    secret: async (name: string, use: { tool: string; host?: string }) => secret?.(name, use),
  };
}
