import { join } from 'node:path';
import { fileVersion } from '../../disk/index.ts';
import type { ServerApproval } from '../../tools/index.ts';
import { changeJsonFile, readJsonFile } from './json-file.ts';
import { workspaceName } from './workspace-name.ts';

type ByServer = Readonly<Record<string, ServerApproval>>;

interface ApprovalsFile {
  readonly workspaces: Readonly<Record<string, ByServer>>;
  /** Servers that the user configured for all workspaces. */
  readonly user: ByServer;
}

const NONE: ApprovalsFile = { workspaces: {}, user: {} };

/** The MCP servers that a user approved, stored in the user's folder, out of reach of any workspace. */
export class ServerApprovals {
  readonly #file: string;
  readonly #workspace: string;

  constructor(home: string, workspace: string) {
    this.#file = join(home, 'server-approvals.json');
    this.#workspace = workspace;
  }

  /** Tells whether an approval has changed. */
  get version(): string {
    return fileVersion(this.#file);
  }

  find(server: string, scope: 'project' | 'user'): ServerApproval | undefined {
    const known = this.#of(this.#read(), scope);
    return Object.hasOwn(known, server) ? known[server] : undefined;
  }

  put(server: string, scope: 'project' | 'user', approval: ServerApproval): void {
    this.#change(scope, (known) => ({ ...known, [server]: approval }));
  }

  remove(server: string, scope: 'project' | 'user'): void {
    this.#change(scope, ({ [server]: removed, ...others }) => others);
  }

  #read(): ApprovalsFile {
    return (readJsonFile(this.#file) as ApprovalsFile | undefined) ?? NONE;
  }

  #of(file: ApprovalsFile, scope: 'project' | 'user'): ByServer {
    return scope === 'user' ? file.user : (file.workspaces[workspaceName(this.#workspace)] ?? {});
  }

  #change(scope: 'project' | 'user', change: (known: ByServer) => ByServer): void {
    changeJsonFile<ApprovalsFile>(this.#file, (file = NONE) => {
      const known = change(this.#of(file, scope));
      if (scope === 'user') return { ...file, user: known };
      return { ...file, workspaces: { ...file.workspaces, [workspaceName(this.#workspace)]: known } };
    });
  }
}
