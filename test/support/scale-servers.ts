// Servers for existing tests that run again with their ledger on PostgreSQL, and with their runs on Restate.
import type { TestProject } from 'vitest/node';
import { findPostgres, TestPostgres } from './postgres.ts';
import { missingRestate, TestRestate } from './restate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly ledgerUrl: string;
    readonly restate: { readonly ingress: string; readonly admin: string } | undefined;
  }
}

/** Starts what the project's name asks for. Its tests fail if a server cannot be had, so that nothing is left out silently. */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  const missing = findPostgres() === undefined ? 'there is no initdb and postgres' : undefined;
  const needsRestate = project.name === 'on-restate';
  const reason = missing ?? (needsRestate ? missingRestate() : undefined);
  if (reason !== undefined) throw new Error(`The tests of ${project.name} cannot run: ${reason}.`);
  const postgres = await TestPostgres.create();
  const restate = needsRestate ? await TestRestate.start() : undefined;
  project.provide('ledgerUrl', postgres.url);
  project.provide('restate', restate && { ingress: restate.ingress, admin: restate.admin });
  return async () => {
    await restate?.stop();
    await postgres.remove();
  };
}
