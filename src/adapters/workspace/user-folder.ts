import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Grant, Grants } from '../../engine/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { ServerApproval } from '../../tools/index.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';

interface TrustFile {
  readonly workspaces: Readonly<Record<string, { readonly trustedAt: number }>>;
}

interface GrantsFile {
  readonly workspaces: Readonly<Record<string, readonly Grant[]>>;
}

/** The user's own folder with trust and grants, out of reach of any workspace. */
export class UserFolder {
  readonly #directory: string;
  readonly #clock: Clock;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  isTrusted(workspace: string): boolean {
    return Object.hasOwn(this.#trust().workspaces, nameOf(workspace));
  }

  trust(workspace: string): void {
    const workspaces = { ...this.#trust().workspaces, [nameOf(workspace)]: { trustedAt: this.#clock.now() } };
    writeJsonFile(join(this.#directory, 'trust.json'), { workspaces } satisfies TrustFile);
  }

  /** Revokes trust, because the workspace's content has changed since the user trusted it. */
  revokeTrust(workspace: string): void {
    const { [nameOf(workspace)]: known, ...workspaces } = this.#trust().workspaces;
    if (known === undefined) return;
    writeJsonFile(join(this.#directory, 'trust.json'), { workspaces } satisfies TrustFile);
  }

  grants(workspace: string): Grants {
    const file = join(this.#directory, 'grants.json');
    const name = nameOf(workspace);
    const read = (): GrantsFile => (readJsonFile(file) as GrantsFile | undefined) ?? { workspaces: {} };
    let known = read().workspaces[name] ?? [];
    return {
      find: ({ tool, argumentsHash }) =>
        known.find(
          (grant) =>
            grant.tool === tool &&
            (grant.argumentsHash === undefined || grant.argumentsHash === argumentsHash),
        ),
      async add(grant) {
        const all = read();
        known = [...(all.workspaces[name] ?? []), grant];
        writeJsonFile(file, { workspaces: { ...all.workspaces, [name]: known } } satisfies GrantsFile);
      },
    };
  }

  /** Adds a model to the user's configuration, as the default if there is none. */
  addModel(
    name: string,
    entry: { readonly provider: string; readonly model: string },
  ): { readonly file: string; readonly default: string } {
    const file = join(this.#directory, 'config.json');
    const config = (readJsonFile(file) ?? {}) as {
      models?: Readonly<Record<string, unknown>>;
      default_model?: string;
    };
    const chosen = config.default_model ?? Object.keys(config.models ?? {})[0] ?? name;
    const models = { ...config.models, [name]: entry };
    writeJsonFile(file, { ...config, models, default_model: chosen });
    return { file, default: chosen };
  }

  /** Sets the price of a model, named as `provider/model`. */
  setPrice(
    model: string,
    price: { readonly input: number; readonly output: number; readonly cached_input?: number },
  ): { readonly file: string } {
    const file = join(this.#directory, 'config.json');
    const config = (readJsonFile(file) ?? {}) as { prices?: Readonly<Record<string, unknown>> };
    writeJsonFile(file, { ...config, prices: { ...config.prices, [model]: price } });
    return { file };
  }

  #trust(): TrustFile {
    return (readJsonFile(join(this.#directory, 'trust.json')) as TrustFile | undefined) ?? { workspaces: {} };
  }
}

/** A workspace is identified by its real path, so that a link cannot use another folder's trust or approvals. */
function nameOf(workspace: string): string {
  return realpathSync(workspace);
}

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
    return scope === 'user' ? file.user : (file.workspaces[nameOf(this.#workspace)] ?? {});
  }

  #write(file: ApprovalsFile, scope: 'project' | 'user', known: ByServer): void {
    const changed =
      scope === 'user'
        ? { ...file, user: known }
        : { ...file, workspaces: { ...file.workspaces, [nameOf(this.#workspace)]: known } };
    writeJsonFile(this.#file, changed satisfies ApprovalsFile);
  }
}
