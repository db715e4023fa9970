import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, ProtocolError, ProtocolErrorCode, SdkError } from '@modelcontextprotocol/client';
import { type Clock, type JsonObject, OkaError, type Redactor } from '../../kernel/index.ts';
import type {
  McpErrorCode,
  SandboxAccess,
  ServerAnswer,
  ServerLaunch,
  ServerTool,
} from '../../tools/index.ts';
import { explainFailure, type FailureScene, wasNotReceived } from './explain-failure.ts';
import { HttpTransport } from './http-transport.ts';
import { type McpLimits, withinLimit } from './limits.ts';
import { listTools, WITHOUT_TIMER } from './list-tools.ts';
import { type ServerProgram, StdioTransport } from './stdio-transport.ts';

/** Newest first; older versions are rejected. */
const PROTOCOLS = ['2026-07-28', '2025-11-25'];
const MAX_ROUNDS = 3;

export interface ConnectionOptions {
  readonly server: string;
  /** With templates filled in. */
  readonly launch: ServerLaunch;
  /** The working folder of the process, and its MCP root. */
  readonly folder: string;
  /** Environment variables that the process inherits. */
  readonly environment: Readonly<Record<string, string>>;
  readonly version: string;
  readonly limits: McpLimits;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly onToolsChanged?: () => void;
  /** Prepares a server's program in a sandbox. Default: it starts with the rights of this process. */
  readonly startProgram?: (program: ServerCommand) => Promise<ServerProgram>;
}

/** A server's command with the access that its definition asks for. */
export interface ServerCommand {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly sandbox?: SandboxAccess | 'off';
}

/** One connection to one server. */
export class ServerConnection {
  readonly #options: ConnectionOptions;
  readonly #transport: StdioTransport | HttpTransport;
  readonly #client: Client;
  #isOpen = true;

  private constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#transport = makeTransport(options);
    this.#client = makeClient(options);
    this.#client.onclose = () => {
      this.#isOpen = false;
    };
  }

  /** Connects, or throws an OkaError with the reason. */
  static async open(options: ConnectionOptions, signal?: AbortSignal): Promise<ServerConnection> {
    const { clock, limits } = options;
    let connection = new ServerConnection(options);
    try {
      await withinLimit({ clock, ms: limits.connectMs, signal }, async (own) => {
        try {
          await connection.#connect('auto');
        } catch (error) {
          if (own.aborted || !connection.#exitedOnProbe(error)) throw error;
          connection = new ServerConnection(options);
          await connection.#connect('legacy');
        }
      });
      return connection;
    } catch (error) {
      await connection.close();
      signal?.throwIfAborted();
      throw explainFailure(error, connection.#scene('connect'));
    }
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get protocol(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? '';
  }

  listTools(signal?: AbortSignal): Promise<readonly ServerTool[]> {
    const { server, limits } = this.#options;
    return this.#ask('list', limits.connectMs, signal, undefined, (own) =>
      listTools(this.#client, server, limits, own),
    );
  }

  /** Calls a tool once. Throws `mcp.connection_lost` with `data.arrived` false if the server cannot have received it. */
  async call(tool: ServerTool, args: JsonObject, signal?: AbortSignal): Promise<ServerAnswer> {
    const { name, inputSchema } = tool;
    const { callMs } = this.#options.limits;
    const result = await this.#ask('call', callMs, signal, name, (own) =>
      this.#client.callTool(
        { name, arguments: args },
        { signal: own, timeout: WITHOUT_TIMER, toolDefinition: { name, inputSchema: inputSchema as never } },
      ),
    );
    return {
      content: result.content as unknown as readonly JsonObject[],
      ...(result.structuredContent === undefined ? {} : { structured: result.structuredContent }),
      isError: result.isError === true,
    };
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#client.close().catch(() => undefined);
    await this.#transport.close().catch(() => undefined);
  }

  async #connect(era: 'auto' | 'legacy'): Promise<void> {
    await this.#client.connect(this.#transport, {
      timeout: this.#options.limits.connectMs / 2,
      ...(era === 'legacy' ? { prior: { kind: 'legacy' as const } } : {}),
    });
  }

  /** Some older servers exit on an unknown request; they are restarted with the legacy protocol. */
  #exitedOnProbe(error: unknown): boolean {
    return (
      this.#transport instanceof StdioTransport &&
      this.#transport.exit !== undefined &&
      error instanceof SdkError
    );
  }

  async #ask<T>(
    phase: 'list' | 'call',
    ms: number,
    signal: AbortSignal | undefined,
    tool: string | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await withinLimit({ clock: this.#options.clock, ms, signal }, work);
    } catch (error) {
      signal?.throwIfAborted();
      const explained = explainFailure(error, this.#scene(phase, tool));
      if (explained.code !== 'mcp.connection_lost') throw explained;
      await this.close();
      const data = { ...explained.data, arrived: !wasNotReceived(error) };
      throw new OkaError<McpErrorCode>('mcp.connection_lost', explained.message, { data, cause: error });
    }
  }

  #scene(phase: FailureScene['phase'], tool?: string): FailureScene {
    const transport = this.#transport;
    return {
      server: this.#options.server,
      phase,
      ...(tool === undefined ? {} : { tool }),
      closedBy: transport.failure,
      lastOutput: transport instanceof StdioTransport ? this.#lastOutput(transport) : '',
    };
  }

  #lastOutput({ exit, said }: StdioTransport): string {
    const words = this.#options.redactor.text(said.text());
    return `${exit === undefined ? '' : `; it ${exit}`}${words === '' ? '' : `; its last output: ${words}`}`;
  }
}

function makeTransport(options: ConnectionOptions): StdioTransport | HttpTransport {
  const { server, launch, limits, clock, folder, environment } = options;
  if (launch.transport === 'stdio')
    return new StdioTransport({
      launch: async () => {
        const { command, args, sandbox } = launch;
        const own = { ...environment, ...launch.environment };
        return options.startProgram === undefined
          ? { program: command, args, cwd: folder, environment: own }
          : options.startProgram({
              command: [command, ...args],
              environment: own,
              ...(sandbox === undefined ? {} : { sandbox }),
            });
      },
      maxMessageBytes: limits.maxMessageBytes,
      clock,
    });
  const url = URL.canParse(launch.url) ? new URL(launch.url) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new OkaError<McpErrorCode>(
      'mcp.invalid_server',
      `Invalid address of the MCP server "${server}": use http:// or https:// without a password in "url", and put credentials in "headers".`,
      { data: { server } },
    );
  return new HttpTransport(url, launch.headers, { maxMessageBytes: limits.maxMessageBytes, clock });
}

/** A client that exposes the workspace folder to a local server and rejects all other requests. */
function makeClient(options: ConnectionOptions): Client {
  const { launch, folder, limits, version, onToolsChanged } = options;
  const isLocal = launch.transport === 'stdio';
  const client = new Client(
    { name: 'oka', version },
    {
      capabilities: isLocal ? { roots: {} } : {},
      supportedProtocolVersions: PROTOCOLS,
      versionNegotiation: {
        mode: 'auto',
        probe: { timeoutMs: isLocal ? limits.probeMs : limits.connectMs },
      },
      inputRequired: { maxRounds: MAX_ROUNDS },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => onToolsChanged?.() } },
    },
  );
  const roots = [{ uri: pathToFileURL(folder).href, name: basename(folder) }];
  if (isLocal) client.setRequestHandler('roots/list', () => ({ roots }));
  client.fallbackRequestHandler = async ({ method }) => {
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `Oka does not support ${method}: a tool gets everything it needs as input.`,
    );
  };
  return client;
}
