// Installs a package in a process of its own, which the test kills.
import { WorkspaceInstaller } from '../../src/adapters/installs/index.ts';
import { processOwners } from '../../src/adapters/processes/index.ts';
import { SqlLeases } from '../../src/adapters/sql/index.ts';
import { openDatabase, SqliteTables } from '../../src/adapters/sqlite/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { orderInstall } from '../../src/tools/installs/catalogue.ts';
import { recordOf } from './install-kit.ts';

const [workspace, database, npmRegistry, name, home] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
const owners = processOwners();
const leases = new SqlLeases(
  new SqliteTables(openDatabase({ file: database, now: () => systemClock.now() }), database),
  systemClock,
  (owner) => owners.isAlive(owner),
);
const installer = new WorkspaceInstaller({
  workspace,
  record: recordOf(workspace, home),
  environment: { PATH: process.env['PATH'] },
  sources: { npmRegistry },
  leases,
  owner: owners.self,
  clock: systemClock,
});
await installer.install(orderInstall({ ecosystem: 'node', package: name }), new AbortController().signal);
