// Gives the tests of this process the servers that were started for them.
import { inject } from 'vitest';

process.env['OKA_LEDGER_URL'] = inject('ledgerUrl');
const restate = inject('restate');
if (restate !== undefined) {
  process.env['OKA_EXECUTION_BACKEND'] = 'restate';
  process.env['OKA_RESTATE_INGRESS'] = restate.ingress;
  process.env['OKA_RESTATE_ADMIN'] = restate.admin;
  const { TEST_TOKEN } = await import('./server-environment.ts');
  process.env['OKA_PROJECT_TOKEN'] = TEST_TOKEN;
  const { serveWorkspaces } = await import('./test-worker.ts');
  await serveWorkspaces(restate);
}
