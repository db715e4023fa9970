// Which servers the commands of tests use, and the workspaces that a worker in this process may have to open.
import { test } from 'vitest';

/** The token of all projects of these tests. */
export const TEST_TOKEN = 'a token that only these tests know';

/** The environment variables of the servers; empty for tests with the embedded default. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  if (process.env['OKA_TEST_SERVERS'] !== '1') return {};
  const names = [
    ...['OKA_LEDGER_URL', 'OKA_EXECUTION_BACKEND', 'OKA_RESTATE_INGRESS', 'OKA_RESTATE_ADMIN'],
    'OKA_PROJECT_TOKEN',
  ];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/** The user folder of each workspace, by the folder of the workspace; the newest is last. */
export const servedHomes = new Map<string, string>();

/** Tests of local behaviour: SQLite files, and runs that a command drives. */
export const onOwnFiles = test.runIf(serverEnvironment()['OKA_LEDGER_URL'] === undefined);
export const onOwnProcess = test.runIf(serverEnvironment()['OKA_EXECUTION_BACKEND'] === undefined);
