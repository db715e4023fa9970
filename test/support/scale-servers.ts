// Servers for existing tests that run again with their ledger on PostgreSQL, and with their runs on Restate.
import type { TestProject } from 'vitest/node';
import { TestPostgres } from './postgres.ts';
import { TestRestate } from './restate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly ledgerUrl: string;
    readonly restate: { readonly ingress: string; readonly admin: string } | undefined;
  }
}

/** Starts the servers that the tests of a project need. */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await TestPostgres.create();
  const restate = project.name === 'on-restate' ? await TestRestate.start() : undefined;
  project.provide('ledgerUrl', postgres.url);
  project.provide('restate', restate && { ingress: restate.ingress, admin: restate.admin });
  return async () => {
    await restate?.stop();
    await postgres.remove();
  };
}
