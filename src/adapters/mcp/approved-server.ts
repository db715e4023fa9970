import { backoffMs, type Clock, type EpochMs, OkaError } from '../../kernel/index.ts';
import {
  describeChanges,
  faceOfLaunch,
  hashServer,
  type McpErrorCode,
  type ServerApproval,
  type ServerLaunch,
  type ServerTool,
} from '../../tools/index.ts';
import type { ServerConnection } from './server-connection.ts';

const MINUTE_MS = 60_000;
const MOST_RESTARTS = 3;
const FIRST_PAUSE_MS = 250;
const MOST_LINES = 200;

/** A server as its file declares it and as the person approved it. */
export interface FoundServer {
  readonly launch: ServerLaunch;
  readonly approval: ServerApproval;
}

/** A connection whose server was found to be the approved one. */
export interface CheckedConnection {
  readonly connection: ServerConnection;
  readonly tools: readonly ServerTool[];
}

/**
 * Keeps at most one connection with one approved server. It is made when it is first needed, checked against the
 * approval, made again after it was lost, and given up for a while when that happens too often.
 *
 * I1: no call goes out over a connection whose tool list was not found equal to the approved one since it last changed.
 */
export class ApprovedServer {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #find: () => FoundServer;
  readonly #open: (launch: ServerLaunch, onToolsChanged: () => void) => Promise<ServerConnection>;
  #current: CheckedConnection | undefined;
  #connecting: Promise<CheckedConnection> | undefined;
  #isStale = false;
  #refused: OkaError | undefined;
  #starts: EpochMs[] = [];

  constructor(options: {
    readonly name: string;
    readonly clock: Clock;
    /** Throws when the server may not be used. */
    readonly find: () => FoundServer;
    readonly open: (launch: ServerLaunch, onToolsChanged: () => void) => Promise<ServerConnection>;
  }) {
    this.#name = options.name;
    this.#clock = options.clock;
    this.#find = options.find;
    this.#open = options.open;
  }

  /** The connection to use now. Several callers share the making of it. */
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
    // Another command than the approved one is not even started.
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

  /** Waits longer each time a server has to be started again, and gives up when that is too often. */
  async #pause(): Promise<void> {
    const now = this.#clock.now();
    this.#starts = this.#starts.filter((at) => at > now - MINUTE_MS && at <= now);
    const restarts = this.#starts.length;
    if (restarts === 0) return;
    if (restarts > MOST_RESTARTS)
      throw new OkaError<McpErrorCode>(
        'mcp.failing',
        `the MCP server "${this.#name}" was started ${restarts} times within a minute and did not stay; look at it with: oka mcp test ${this.#name}.`,
        { data: { server: this.#name } },
      );
    const until = now + backoffMs(restarts, { firstMs: FIRST_PAUSE_MS });
    await new Promise<void>((resolve) => void this.#clock.callAt(until, resolve));
  }

  async #check({ launch, approval }: FoundServer, tools: readonly ServerTool[]): Promise<void> {
    const face = faceOfLaunch(launch);
    if (hashServer(face, tools) === approval.hash) return;
    const changes = await describeChanges(approval, { launch: face, tools });
    this.#refused = new OkaError<McpErrorCode>(
      'mcp.changed',
      `the MCP server "${this.#name}" is not what was approved: ${titlesOf(changes)}. See what changed, and approve it again if that is well: oka mcp test ${this.#name} --approve.`,
      { data: { server: this.#name, changes: cut(changes) } },
    );
    throw this.#refused;
  }
}

/** The headings of a description of changes, which stand at the beginning of their lines. */
function titlesOf(changes: readonly string[]): string {
  const titles = changes.filter((line) => !line.startsWith(' '));
  const shown = titles.slice(0, 5).join(', ');
  return titles.length > 5 ? `${shown} and ${titles.length - 5} more` : shown;
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more lines`];
}
