import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import {
  type FoundServer,
  McpConnections,
  type McpConnectionsOptions,
} from '../../src/adapters/mcp/index.ts';
import type { Decision, Engine, RunState } from '../../src/engine/index.ts';
import { createRedactor, type JsonObject, systemClock } from '../../src/kernel/index.ts';
import {
  faceOfLaunch,
  hashServer,
  mcpTools,
  type ServerAnswer,
  type ServerLaunch,
  type ServerTool,
} from '../../src/tools/index.ts';
import { call, finish, makeEngine, openApproval, plannerOf } from '../support/engine-kit.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** The hand-written server. */
export const FIXTURE = fileURLToPath(new URL('fixture-server.mjs', import.meta.url));

/** How a reference server is started. */
export function reference(name: 'everything' | 'filesystem' | 'memory', ...args: string[]): ServerLaunch {
  const program = fileURLToPath(
    new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
  );
  return { transport: 'stdio', command: process.execPath, args: [program, ...args], environment: {} };
}

/** How the hand-written server is started; see its head for what a plan may say. */
export function fixture(plan: object, environment: Readonly<Record<string, string>> = {}): ServerLaunch {
  return {
    transport: 'stdio',
    command: process.execPath,
    args: [FIXTURE, JSON.stringify(plan)],
    environment,
  };
}

export interface McpKit {
  readonly connections: McpConnections;
  readonly folder: string;
  /** Looks at a server and approves what it finds. */
  approve(server: string, launch: ServerLaunch, trustHints?: boolean): Promise<readonly ServerTool[]>;
  /** Puts another launch in place of the one that was approved. */
  redeclare(server: string, launch: ServerLaunch): void;
  call(server: string, tool: string, args?: JsonObject, signal?: AbortSignal): Promise<ServerAnswer>;
  /** Runs a scripted planner that calls these tools in turn, with every approval given. */
  run(...calls: readonly Decision[]): Promise<{ readonly run: RunState; readonly engine: Engine }>;
}

/** Connections with servers that are approved in memory, closed with the test. */
export function mcpKit(options: Partial<McpConnectionsOptions> = {}): McpKit {
  const folder = options.folder ?? tempFolder();
  const found = new Map<string, FoundServer>();
  const connections = new McpConnections({
    folder,
    version: '0',
    clock: systemClock,
    redactor: createRedactor(),
    environment: (name) => (name === 'PATH' ? process.env['PATH'] : undefined),
    secret: async () => undefined,
    find: (server) => found.get(server) as FoundServer,
    fileOf: () => 'user',
    ...options,
  });
  onTestFinished(() => connections.close());
  return {
    connections,
    folder,
    async approve(server, launch, trustHints = false) {
      const { tools } = await connections.inspect(server, launch);
      const face = faceOfLaunch(launch);
      const hash = hashServer(face, tools);
      found.set(server, {
        launch,
        approval: { hash, launch: face, tools, trustHints, approvedAt: 0, by: 'tester' },
      });
      await connections.drop(server);
      return tools;
    },
    redeclare(server, launch) {
      found.set(server, { ...(found.get(server) as FoundServer), launch });
    },
    call: (server, tool, args = {}, signal = new AbortController().signal) =>
      connections.call(server, tool, args, { signal, run: 'run' }),
    async run(...calls) {
      const planner = plannerOf(({ evidence }) => calls[evidence.length] ?? finish(evidence.at(-1)?.output));
      const snapshots = [...found].map(([server, { approval }]) => ({ server, ...approval }));
      const { engine } = makeEngine(planner, mcpTools(snapshots), {
        capabilities: { mcp: connections },
        clock: systemClock,
      } as never);
      let run = await engine.run({ kind: 'test', goal: 'use servers' }, { patienceMs: 0 });
      while (run.waiting !== undefined && run.ended === undefined) {
        const decision =
          run.waiting.for === 'answer'
            ? { kind: 'answer' as const, answer: 'fail' }
            : { kind: 'approve' as const };
        await engine.decide((await openApproval(engine)).id, decision, 'tester');
        run = await engine.resume(run.id);
      }
      return { run, engine };
    },
  };
}

export { call };
