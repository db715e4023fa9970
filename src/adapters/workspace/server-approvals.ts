import { join } from 'node:path';
import type { ServerApproval } from '../../tools/index.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import { workspaceName } from './workspace-name.ts';

type ByServer = Readonly<Record<string, ServerApproval>>;

interface ApprovalsFile {
  readonly workspaces: Readonly<Record<string, ByServer>>;
  /** Servers that the user configured for all workspaces. */
  readonly user: ByServer;
}

/** The MCP servers that a user approved, stored in the user's folder, out of reach of any workspace. */
export class ServerApprovals {
  readonly #file: string;
  readonly #workspace: string;

  constructor(home: string, workspace: string) {
    this.#file = join(home, 'server-approvals.json');
    this.#workspace = workspace;
  }

  find(server: string, scope: 'project' | 'user'): ServerApproval | undefined {
    const known = this.#of(this.#read(), scope);
    return Object.hasOwn(known, server) ? known[server] : undefined;
  }

  put(server: string, scope: 'project' | 'user', approval: ServerApproval): void {
    const file = this.#read();
    this.#write(file, scope, { ...this.#of(file, scope), [server]: approval });
  }

  remove(server: string, scope: 'project' | 'user'): void {
    const file = this.#read();
    const known = Object.entries(this.#of(file, scope));
    if (known.some(([name]) => name === server))
      this.#write(file, scope, Object.fromEntries(known.filter(([name]) => name !== server)));
  }

  #read(): ApprovalsFile {
    return (readJsonFile(this.#file) as ApprovalsFile | undefined) ?? { workspaces: {}, user: {} };
  }

  #of(file: ApprovalsFile, scope: 'project' | 'user'): ByServer {
    return scope === 'user' ? file.user : (file.workspaces[workspaceName(this.#workspace)] ?? {});
  }

  #write(file: ApprovalsFile, scope: 'project' | 'user', known: ByServer): void {
    const changed =
      scope === 'user'
        ? { ...file, user: known }
        : { ...file, workspaces: { ...file.workspaces, [workspaceName(this.#workspace)]: known } };
    writeJsonFile(this.#file, changed satisfies ApprovalsFile);
  }
}
