import { join } from 'node:path';
import {
  type FoundServer,
  faceWithFiles,
  McpConnections,
  type McpConnectionsOptions,
} from '../../adapters/mcp/index.ts';
import { type DeclaredServer, McpFile, ServerApprovals } from '../../adapters/workspace/index.ts';
import type {
  AddMcpServerRequest,
  McpApi,
  McpServerItem,
  TestMcpServerAnswer,
  TestMcpServerRequest,
} from '../../api/index.ts';
import type { Tool } from '../../engine/index.ts';
import { didYouMean, type JsonObject, nearestName, OkaError } from '../../kernel/index.ts';
import {
  describeChanges,
  hashServer,
  type McpErrorCode,
  type McpServers,
  mcpTools,
  type ServerApproval,
  type ServerLaunch,
  type ServerSnapshot,
} from '../../tools/index.ts';
import type { WorkspaceTrust } from '../trust/workspace-trust.ts';

export interface ConfiguredServersOptions
  extends Pick<
    McpConnectionsOptions,
    'version' | 'clock' | 'redactor' | 'environment' | 'secret' | 'startProgram'
  > {
  readonly workspace: string;
  /** The person's own folder. */
  readonly home: string;
  /** Throws unless the person trusts the workspace. */
  readonly requireTrust: () => void;
  /** Which servers of the workspace the person approved. */
  readonly trust: Pick<
    WorkspaceTrust,
    'itemOfServer' | 'mayAct' | 'requireApproved' | 'approveItem' | 'forgetItem'
  >;
}

interface KnownServer extends DeclaredServer {
  readonly from: 'project' | 'user';
}

type LaunchableServer = Required<Pick<KnownServer, 'name' | 'launch' | 'from'>>;
type Inspected = Pick<TestMcpServerAnswer, 'hash' | 'protocol' | 'tools'>;

const WITHHELD = 'is new or has changed since you trusted this folder; review it with: oka trust';

/**
 * The MCP servers that the workspace's `.mcp.json` and the person's `mcp.json` declare, with what the person approved of
 * them. Where both files name a server, the person's own counts.
 */
export class ConfiguredServers implements McpApi {
  readonly #options: ConfiguredServersOptions;
  readonly #project: McpFile;
  readonly #user: McpFile;
  readonly #approvals: ServerApprovals;
  readonly #connections: McpConnections;
  /** The results of tests, so that approval covers exactly what the user saw. */
  readonly #inspected = new Map<string, Inspected>();

  constructor(options: ConfiguredServersOptions) {
    const { workspace, home, version, clock, redactor, environment, secret, startProgram } = options;
    this.#options = options;
    this.#project = new McpFile(join(workspace, '.mcp.json'));
    this.#user = new McpFile(join(home, 'mcp.json'));
    this.#approvals = new ServerApprovals(home, workspace);
    const find = (server: string): FoundServer => this.#find(server);
    this.#connections = new McpConnections({
      folder: workspace,
      ...{ version, clock, redactor, environment, secret, find },
      fileOf: (server) => this.#require(server).from,
      ...(startProgram === undefined ? {} : { startProgram }),
    });
  }

  /** Calls the tools of servers; the capability `mcp`. */
  get servers(): McpServers {
    return this.#connections;
  }

  /** Tells whether the answer of `tools` may have changed. */
  get version(): string {
    return [this.#project, this.#user, this.#approvals].map(({ version }) => version).join(' ');
  }

  /** The tools of approved servers. Starts nothing. */
  async tools(): Promise<readonly Tool[]> {
    this.#options.requireTrust();
    const snapshots: ServerSnapshot[] = [];
    for (const server of this.#declared()) {
      const approval = this.#approvals.find(server.name, server.from);
      if (approval === undefined || (await this.#statusOf(server, approval)) !== 'approved') continue;
      if (!this.#mayAct(server)) continue;
      snapshots.push({ server: server.name, tools: approval.tools, trustHints: approval.trustHints });
    }
    return mcpTools(snapshots);
  }

  async list(): Promise<readonly McpServerItem[]> {
    this.#options.requireTrust();
    return Promise.all(this.#declared().map((server) => this.#item(server)));
  }

  async add({ name, launch, user }: AddMcpServerRequest): Promise<{ server: McpServerItem; file: string }> {
    this.#options.requireTrust();
    const file = user ? this.#user : this.#project;
    const other = user ? this.#project : this.#user;
    if (other.servers().some((server) => server.name === name))
      throw new OkaError<McpErrorCode>(
        'mcp.exists',
        `${other.path} has a server "${name}" already; choose another name, or remove it with: oka mcp remove ${name}.`,
        { data: { server: name, file: other.path } },
      );
    file.add(name, launch);
    if (!user) this.#options.trust.approveItem(this.#options.trust.itemOfServer({ name, launch }));
    return { server: await this.#item(this.#require(name)), file: file.path };
  }

  async remove(name: string): Promise<{ name: string; file: string }> {
    this.#options.requireTrust();
    const { from } = this.#require(name);
    const file = from === 'user' ? this.#user : this.#project;
    file.remove(name);
    if (from === 'project') this.#options.trust.forgetItem({ kind: 'mcp_server', name });
    this.#approvals.remove(name, from);
    await this.#connections.drop(name);
    return { name, file: file.path };
  }

  async test(request: TestMcpServerRequest): Promise<TestMcpServerAnswer> {
    this.#options.requireTrust();
    const { name, approve } = request;
    const server = this.#require(name);
    const launch = requireLaunch(server);
    this.#requireApproved({ name, launch, from: server.from });
    const known = this.#approvals.find(name, server.from);
    const seen = approve?.hash === undefined ? undefined : this.#inspected.get(name);
    const found = seen?.hash === approve?.hash ? seen : undefined;
    const { hash, protocol, tools } = found ?? (await this.#inspect(name, launch, request.signal));
    const face = await this.#face(launch);
    const changes = known === undefined ? [] : await describeChanges(known, { launch: face, tools });
    if (approve !== undefined) {
      const isShown = approve.hash === undefined || approve.hash === hash;
      // A file that the command names may have changed since the server was inspected.
      if (!isShown || hashServer(face, tools) !== hash) throw changedMeanwhile(name);
      const { clock } = this.#options;
      const { trustHints } = approve;
      this.#approvals.put(name, server.from, {
        ...{ hash: hash as ServerApproval['hash'], launch: face, tools, trustHints },
        ...{ approvedAt: clock.now(), by: request.by },
      });
      await this.#connections.drop(name);
    }
    const approval = this.#approvals.find(name, server.from);
    const status = approval !== undefined && approval.hash !== hash ? { status: 'changed' as const } : {};
    return { server: { ...(await this.#item(server)), ...status }, protocol, tools, changes, hash };
  }

  /** Ends every server. Idempotent. */
  close(): Promise<void> {
    return this.#connections.close();
  }

  async #inspect(name: string, launch: ServerLaunch, signal?: AbortSignal): Promise<Inspected> {
    // Before the server starts: it could change its own files.
    const face = await this.#face(launch);
    const { protocol, tools } = await this.#connections.inspect(name, launch, signal);
    const inspected = { hash: hashServer(face, tools), protocol, tools };
    this.#inspected.set(name, inspected);
    return inspected;
  }

  #declared(): readonly KnownServer[] {
    const own = this.#user.servers().map((server) => ({ ...server, from: 'user' as const }));
    const names = new Set(own.map(({ name }) => name));
    const project = this.#project.servers().filter(({ name }) => !names.has(name));
    return [...project.map((server) => ({ ...confined(server), from: 'project' as const })), ...own];
  }

  #require(name: string): KnownServer {
    const declared = this.#declared();
    const found = declared.find((server) => server.name === name);
    if (found !== undefined) return found;
    const nearest = nearestName(
      name,
      declared.map((server) => server.name),
    );
    throw new OkaError<McpErrorCode>(
      'mcp.unknown_server',
      `there is no MCP server "${name}". ${didYouMean(nearest, 'See: oka mcp list.')}`,
      { data: { server: name } },
    );
  }

  /** A server that may be used; called when it is connected to. */
  #find(name: string): FoundServer {
    this.#options.requireTrust();
    const server = this.#require(name);
    const launch = requireLaunch(server);
    if (server.off)
      throw new OkaError<McpErrorCode>(
        'mcp.off',
        `the MCP server "${name}" is switched off; take "disabled" out of its file to use it.`,
        { data: { server: name } },
      );
    this.#requireApproved({ name, launch, from: server.from });
    const approval = this.#approvals.find(name, server.from);
    if (approval !== undefined) return { launch, approval };
    throw new OkaError<McpErrorCode>(
      'mcp.not_approved',
      `the MCP server "${name}" was not approved yet; see what it offers and approve it with: oka mcp test ${name} --approve.`,
      { data: { server: name } },
    );
  }

  #face(launch: ServerLaunch): Promise<JsonObject> {
    const { workspace, environment } = this.#options;
    return faceWithFiles(launch, workspace, environment);
  }

  async #statusOf(
    { launch, off }: KnownServer,
    approval: ServerApproval | undefined,
  ): Promise<McpServerItem['status']> {
    if (off || launch === undefined) return 'off';
    if (approval === undefined) return 'new';
    return hashServer(await this.#face(launch), approval.tools) === approval.hash ? 'approved' : 'changed';
  }

  /** Whether trust in the workspace covers this declaration. The person's own servers need none. */
  #mayAct({ name, launch, from }: KnownServer): boolean {
    const { trust } = this.#options;
    return from === 'user' || launch === undefined || trust.mayAct(trust.itemOfServer({ name, launch }));
  }

  #requireApproved({ from, ...server }: LaunchableServer): void {
    const { trust } = this.#options;
    if (from === 'project') trust.requireApproved(trust.itemOfServer(server));
  }

  async #item(server: KnownServer): Promise<McpServerItem> {
    const { name, from, launch } = server;
    const approval = this.#approvals.find(name, from);
    const problem = server.problem ?? (server.off || this.#mayAct(server) ? undefined : WITHHELD);
    const status = await this.#statusOf(server, approval);
    return {
      name,
      from,
      ...(launch === undefined ? {} : { transport: launch.transport, target: targetOf(launch) }),
      status: problem === WITHHELD && status === 'approved' ? 'changed' : status,
      ...(problem === undefined ? {} : { problem }),
      tools: approval?.tools.map((tool) => tool.name) ?? [],
      trustHints: approval?.trustHints ?? false,
    };
  }
}

/** Only the person's own file can turn off the sandbox of a server. */
function confined(server: DeclaredServer): DeclaredServer {
  const { launch, ...rest } = server;
  if (launch?.transport !== 'stdio' || launch.sandbox !== 'off') return server;
  return { ...rest, problem: 'has "sandbox": "off", which only your own mcp.json may say' };
}

function targetOf(launch: ServerLaunch): string {
  return launch.transport === 'http' ? launch.url : [launch.command, ...launch.args].join(' ');
}

function requireLaunch({ name, launch, problem }: KnownServer): ServerLaunch {
  if (launch !== undefined) return launch;
  throw new OkaError<McpErrorCode>(
    'mcp.invalid_server',
    `the MCP server "${name}" ${problem}; mend its entry.`,
    {
      data: { server: name },
    },
  );
}

function changedMeanwhile(name: string): OkaError {
  return new OkaError<McpErrorCode>(
    'mcp.changed',
    `The MCP server "${name}" has changed since you saw it, so it was not approved. Check it again with: oka mcp test ${name}`,
    { data: { server: name } },
  );
}
