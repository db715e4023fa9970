import { backoffMs, type Clock, type EpochMs, type JsonObject, OkaError } from '../../kernel/index.ts';
import {
  describeChanges,
  hashServer,
  type McpErrorCode,
  type ServerApproval,
  type ServerLaunch,
  type ServerTool,
} from '../../tools/index.ts';
import type { ServerConnection } from './server-connection.ts';

const MINUTE_MS = 60_000;
const MAX_RESTARTS = 3;
const FIRST_PAUSE_MS = 250;
const MAX_LINES = 200;

/** A server's declaration and its approval. */
export interface FoundServer {
  readonly launch: ServerLaunch;
  readonly approval: ServerApproval;
}

/** A connection whose server matches its approval. */
export interface CheckedConnection {
  readonly connection: ServerConnection;
  readonly tools: readonly ServerTool[];
}

/**
 * Keeps at most one connection to an approved server: connects on first use, checks the server against its approval, reconnects
 * after a loss, and pauses after too many restarts.
 *
 * I1: no call uses a connection whose tool list was not verified since it last changed.
 */
export class ApprovedServer {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #find: () => FoundServer;
  readonly #face: (launch: ServerLaunch) => Promise<JsonObject>;
  readonly #open: (launch: ServerLaunch, onToolsChanged: () => void) => Promise<ServerConnection>;
  #current: CheckedConnection | undefined;
  #connecting: Promise<CheckedConnection> | undefined;
  #isStale = false;
  #refused: OkaError | undefined;
  #starts: EpochMs[] = [];

  constructor(options: {
    readonly name: string;
    readonly clock: Clock;
    /** Throws if the server may not be used. */
    readonly find: () => FoundServer;
    /** The part of a launch that an approval covers, with the files that it names as they are now. */
    readonly face: (launch: ServerLaunch) => Promise<JsonObject>;
    readonly open: (launch: ServerLaunch, onToolsChanged: () => void) => Promise<ServerConnection>;
  }) {
    this.#name = options.name;
    this.#clock = options.clock;
    this.#find = options.find;
    this.#face = options.face;
    this.#open = options.open;
  }

  /** The current connection. Concurrent callers share the connection attempt. */
  async connected(): Promise<CheckedConnection> {
    if (this.#connecting === undefined && this.#current?.connection.isOpen && !this.#isStale)
      return this.#current;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async close(): Promise<void> {
    const { connection } = this.#current ?? (await this.#connecting?.catch(() => undefined)) ?? {};
    this.#current = undefined;
    await connection?.close();
  }

  async #connect(): Promise<CheckedConnection> {
    if (this.#refused !== undefined) throw this.#refused;
    const found = this.#find();
    // A command that differs from the approved one, or names a file that changed, is not started.
    await this.#check(found, found.approval.tools);
    const connection = this.#current?.connection.isOpen
      ? this.#current.connection
      : await this.#start(found.launch);
    this.#isStale = false;
    try {
      const tools = await connection.listTools();
      await this.#check(found, tools);
      this.#current = { connection, tools };
      return this.#current;
    } catch (error) {
      this.#current = undefined;
      await connection.close();
      throw error;
    }
  }

  async #start(launch: ServerLaunch): Promise<ServerConnection> {
    await this.#pause();
    this.#starts.push(this.#clock.now());
    return this.#open(launch, () => {
      this.#isStale = true;
    });
  }

  /** Backs off before each restart, and fails after too many. */
  async #pause(): Promise<void> {
    const now = this.#clock.now();
    this.#starts = this.#starts.filter((at) => at > now - MINUTE_MS && at <= now);
    const restarts = this.#starts.length;
    if (restarts === 0) return;
    if (restarts > MAX_RESTARTS)
      throw new OkaError<McpErrorCode>(
        'mcp.failing',
        `The MCP server "${this.#name}" was started ${restarts} times within a minute and ended each time. Check it with: oka mcp test ${this.#name}.`,
        { data: { server: this.#name } },
      );
    const until = now + backoffMs(restarts, { firstMs: FIRST_PAUSE_MS });
    await new Promise<void>((resolve) => void this.#clock.callAt(until, resolve));
  }

  async #check({ launch, approval }: FoundServer, tools: readonly ServerTool[]): Promise<void> {
    const face = await this.#face(launch);
    if (hashServer(face, tools) === approval.hash) return;
    const changes = await describeChanges(approval, { launch: face, tools });
    this.#refused = new OkaError<McpErrorCode>(
      'mcp.changed',
      `The MCP server "${this.#name}" differs from what was approved: ${titlesOf(changes)}. Review the changes and approve them with: oka mcp test ${this.#name} --approve.`,
      { data: { server: this.#name, changes: cut(changes) } },
    );
    throw this.#refused;
  }
}

/** The headings in a list of changes: lines without indentation. */
function titlesOf(changes: readonly string[]): string {
  const titles = changes.filter((line) => !line.startsWith(' '));
  const shown = titles.slice(0, 5).join(', ');
  return titles.length > 5 ? `${shown} and ${titles.length - 5} more` : shown;
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more lines`];
}
