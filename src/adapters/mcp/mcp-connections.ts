import { delimiter, isAbsolute, relative } from 'node:path';
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
import { faceWithFiles } from './launch-files.ts';
import { DEFAULT_LIMITS, type McpLimits } from './limits.ts';
import type { ServerCommand, ServerConnection } from './server-connection.ts';
import type { ServerProgram } from './stdio-transport.ts';

/** Environment variables that a server process inherits. */
const INHERITED = ['PATH', 'HOME', 'LANG', 'TMPDIR'];

export interface McpConnectionsOptions {
  readonly folder: string;
  readonly version: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly environment: (name: string) => string | undefined;
  /** Returns a secret of the vault; undefined if there is none of this name. */
  readonly secret: (name: string, use: CredentialUse) => Promise<string | undefined>;
  /** Returns the server; throws if there is none that may be used. */
  readonly find: (server: string) => FoundServer;
  /** The owner of the file that declares a server; a project's server gets only secrets scoped to it. */
  readonly fileOf: (server: string) => 'user' | 'project';
  readonly limits?: Partial<McpLimits>;
  /** Prepares the program of a server; `run` is the run that needs it. */
  readonly startProgram?: (program: ServerCommand, run: string | undefined) => Promise<ServerProgram>;
}

export interface InspectedServer {
  readonly protocol: string;
  readonly tools: readonly ServerTool[];
}

/** The connections to all servers of a workspace. Loads the SDK on first use. */
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
      // A server that did not receive the call has had no effect, so a retry on a new connection is safe.
      if (isOkaError(error, 'mcp.connection_lost') && error.data['arrived'] === false) return once();
      throw error;
    }
  }

  /** Connects to list a server's tools, approved or not, and disconnects. */
  async inspect(server: string, launch: ServerLaunch, signal?: AbortSignal): Promise<InspectedServer> {
    const inspection = this.#inspect(server, launch, signal);
    this.#inspected.add(inspection);
    return inspection.finally(() => this.#inspected.delete(inspection));
  }

  /** Closes a connection because its server was changed or approved again. */
  async drop(server: string): Promise<void> {
    const approved = await this.#servers.get(server);
    this.#servers.delete(server);
    await approved?.close();
  }

  /** Closes every server and connection. Idempotent. */
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
    const { clock, find, folder, environment } = this.#options;
    return new ApprovedServer({
      name: server,
      clock,
      find: () => find(server),
      face: (launch) => faceWithFiles(launch, folder, environment),
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
    const { environment, secret, folder, version, clock, redactor, fileOf, startProgram } = this.#options;
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
    const passedOn = INHERITED.flatMap((name) => {
      const value = environment(name);
      if (value === undefined) return [];
      return [[name, name === 'PATH' ? pathOutside(folder, value) : value] as const];
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
        ...(startProgram === undefined ? {} : { startProgram: (program) => startProgram(program, use.run) }),
      },
      AbortSignal.any(signals),
    );
  }
}

/** A PATH without folders of the workspace and without relative ones, so that a bare command is never one of its files. */
function pathOutside(workspace: string, path: string): string {
  const folders = path.split(delimiter).filter((folder) => {
    if (!isAbsolute(folder)) return false;
    const inside = relative(workspace, folder);
    return inside.startsWith('..') || isAbsolute(inside);
  });
  return folders.join(delimiter);
}

function hostOf(launch: ServerLaunch): { readonly host?: string } {
  return launch.transport === 'http' && URL.canParse(launch.url) ? { host: new URL(launch.url).host } : {};
}

function requireTool(server: string, tool: string, tools: readonly ServerTool[]): ServerTool {
  const found = tools.find(({ name }) => name === tool);
  if (found !== undefined) return found;
  throw new OkaError<McpErrorCode>(
    'mcp.changed',
    `The MCP server "${server}" no longer offers ${tool}. List its tools with: oka mcp test ${server}.`,
    { data: { server, tool } },
  );
}

function closed(): OkaError {
  return new OkaError<McpErrorCode>('mcp.connection_lost', 'The MCP servers were closed. Start Oka again.');
}
