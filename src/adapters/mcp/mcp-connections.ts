import type { CredentialUse } from '../../engine/index.ts';
import {
  type Clock,
  isOkaError,
  type JsonObject,
  OkaError,
  type Redactor,
  unlessAborted,
} from '../../kernel/index.ts';
import {
  fillLaunch,
  type McpErrorCode,
  type McpServers,
  type ServerAnswer,
  type ServerLaunch,
  type ServerTool,
} from '../../tools/index.ts';
import type { ApprovedServer, FoundServer } from './approved-server.ts';
import { DEFAULT_LIMITS, type McpLimits } from './limits.ts';
import type { ServerConnection } from './server-connection.ts';

/** What a process of a server sees of the environment beside its own variables. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TMPDIR'];

export interface McpConnectionsOptions {
  /** The workspace. */
  readonly folder: string;
  readonly version: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly environment: (name: string) => string | undefined;
  /** Hands out a secret of the vault; undefined when it has none by this name. */
  readonly secret: (name: string, use: CredentialUse) => Promise<string | undefined>;
  /** The server by this name; throws when there is none that may be used. */
  readonly find: (server: string) => FoundServer;
  /** Whose file declares a server; a project's own gets only secrets that were meant for it. */
  readonly fileOf: (server: string) => 'user' | 'project';
  readonly limits?: Partial<McpLimits>;
}

/** What a server answered when it was looked at. */
export interface InspectedServer {
  readonly protocol: string;
  readonly tools: readonly ServerTool[];
}

/** The connections with all servers of a workspace. Loads the protocol when the first server is needed. */
export class McpConnections implements McpServers {
  readonly #options: McpConnectionsOptions;
  readonly #limits: McpLimits;
  readonly #servers = new Map<string, Promise<ApprovedServer>>();
  readonly #inspected = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(options: McpConnectionsOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  async call(
    server: string,
    tool: string,
    args: JsonObject,
    { signal, run }: { readonly signal: AbortSignal; readonly run: string },
  ): Promise<ServerAnswer> {
    const once = async (): Promise<ServerAnswer> => {
      const approved = await this.#approved(server, run);
      const { connection, tools } = await unlessAborted(approved.connected(), signal);
      return connection.call(requireTool(server, tool, tools), args, signal);
    };
    try {
      return await once();
    } catch (error) {
      // A server that was not there, or has forgotten us, has not acted: it may be asked again on a new connection.
      if (isOkaError(error, 'mcp.connection_lost') && error.data['arrived'] === false) return once();
      throw error;
    }
  }

  /** Connects to see what a server offers, approved or not, and leaves again. */
  async inspect(server: string, launch: ServerLaunch, signal?: AbortSignal): Promise<InspectedServer> {
    const looking = this.#inspect(server, launch, signal);
    this.#inspected.add(looking);
    return looking.finally(() => this.#inspected.delete(looking));
  }

  /** Forgets a connection, because its server was changed or approved anew. */
  async drop(server: string): Promise<void> {
    const approved = await this.#servers.get(server);
    this.#servers.delete(server);
    await approved?.close();
  }

  /** Ends every server and connection. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort(closed());
    await Promise.allSettled([
      ...[...this.#servers.keys()].map((server) => this.drop(server)),
      ...this.#inspected,
    ]);
  }

  #approved(server: string, run: string): Promise<ApprovedServer> {
    this.#closing.signal.throwIfAborted();
    let approved = this.#servers.get(server);
    if (approved === undefined) {
      approved = this.#makeApproved(server, run);
      this.#servers.set(server, approved);
    }
    return approved;
  }

  async #makeApproved(server: string, run: string): Promise<ApprovedServer> {
    const { ApprovedServer } = await import('./approved-server.ts');
    const { clock, find } = this.#options;
    return new ApprovedServer({
      name: server,
      clock,
      find: () => find(server),
      open: (launch, onToolsChanged) => this.#open(server, launch, { run, onToolsChanged }),
    });
  }

  async #inspect(server: string, launch: ServerLaunch, signal?: AbortSignal): Promise<InspectedServer> {
    const connection = await this.#open(server, launch, { signal });
    try {
      return { protocol: connection.protocol, tools: await connection.listTools(signal) };
    } finally {
      await connection.close();
    }
  }

  async #open(
    server: string,
    launch: ServerLaunch,
    use: {
      readonly run?: string;
      readonly signal?: AbortSignal | undefined;
      readonly onToolsChanged?: () => void;
    },
  ): Promise<ServerConnection> {
    const { environment, secret, folder, version, clock, redactor, fileOf } = this.#options;
    const { ServerConnection } = await import('./server-connection.ts');
    const filled = await fillLaunch(server, launch, {
      environment,
      secret: (name) =>
        secret(name, {
          tool: `mcp:${server}`,
          from: fileOf(server),
          ...(use.run === undefined ? {} : { run: use.run }),
          ...hostOf(launch),
        }),
    });
    const passedOn = PASSED_ON.flatMap((name) => {
      const value = environment(name);
      return value === undefined ? [] : [[name, value] as const];
    });
    const signals = [this.#closing.signal, ...(use.signal ? [use.signal] : [])];
    return ServerConnection.open(
      {
        server,
        launch: filled,
        folder,
        environment: Object.fromEntries(passedOn),
        version,
        limits: this.#limits,
        clock,
        redactor,
        ...(use.onToolsChanged ? { onToolsChanged: use.onToolsChanged } : {}),
      },
      AbortSignal.any(signals),
    );
  }
}

function hostOf(launch: ServerLaunch): { readonly host?: string } {
  return launch.transport === 'http' && URL.canParse(launch.url) ? { host: new URL(launch.url).host } : {};
}

function requireTool(server: string, tool: string, tools: readonly ServerTool[]): ServerTool {
  const found = tools.find(({ name }) => name === tool);
  if (found !== undefined) return found;
  throw new OkaError<McpErrorCode>(
    'mcp.changed',
    `the MCP server "${server}" no longer offers ${tool}; see what it offers with: oka mcp test ${server}.`,
    { data: { server, tool } },
  );
}

function closed(): OkaError {
  return new OkaError<McpErrorCode>('mcp.connection_lost', 'the MCP servers were closed; start Oka again.');
}
