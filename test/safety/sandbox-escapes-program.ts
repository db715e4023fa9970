// Prints what the self-test of the sandbox finds for the user of this process, with Oka's folder below the working directory.
import { resolve } from 'node:path';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { openHostProxy } from '../../src/adapters/http/host-proxy.ts';
import { tryEscapes } from '../../src/adapters/processes/index.ts';

const attempts = await tryEscapes({
  okaHome: resolve('oka-home'),
  sandbox: 'required',
  openProxy: (hosts) => openHostProxy({ hosts }),
  openFiles: (workspace) => new WorkspaceFiles(workspace),
});
console.log(JSON.stringify(attempts));
