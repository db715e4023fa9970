// How to bring about every kind of recovery at the command line, and what each must say.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { Engine } from '../../src/engine/index.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import type { EventStore } from '../../src/ledger/index.ts';
import { Oka, SqliteLedger } from '../../src/runtime/index.ts';
import { behaviour } from '../../src/runtime/services/behaviour.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { Workspace, type WorkspaceOptions } from './oka-process.ts';

interface Recovered {
  readonly workspace: Workspace;
  /** The command whose live view shows the recovery; none if the run was recorded by an embedded engine. */
  readonly command?: readonly string[];
}

/** A kind, what its line must say, and how to bring it about. */
export type RecoveryCase = readonly [kind: string, says: RegExp, prepare: () => Promise<Recovered>];

const START = { node_id: 'start', type: 'start', next: 'a' };
const END = { node_id: 'end', type: 'end' };
const MISSING = { node_id: 'a', type: 'tool', tool: 'files.read', args: { path: 'gone.txt' }, next: 'end' };
const NO_FILE = /gone\.txt.*\(files\.not_found\)/;

function withGraphs(
  graphs: Readonly<Record<string, readonly object[]>>,
  options: WorkspaceOptions = {},
  mode: 'flex' | 'balanced' = 'flex',
): Workspace {
  const files = Object.entries(graphs).map(([id, nodes]) => [
    `.oka/graphs/${id}.json`,
    JSON.stringify(defineGraph([...nodes], { id, mode } as never)),
  ]);
  return Workspace.trusted({ ...options, files: { ...options.files, ...Object.fromEntries(files) } });
}

const running = (workspace: Workspace, graph = 'main'): Recovered => ({
  workspace,
  command: ['graph', 'run', graph],
});

async function serve(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server that drops the first connection. */
async function shaky(): Promise<{ url: string; allowed: string }> {
  let calls = 0;
  const port = await serve((request, response) => {
    calls += 1;
    if (calls === 1) request.socket.destroy();
    else response.end('here');
  });
  return { url: `http://127.0.0.1:${port}/x`, allowed: `127.0.0.1:${port}` };
}

const remote = (port: number): object => ({
  provider: 'openai-compatible',
  base_url: `http://127.0.0.1:${port}/v1`,
  model: 'm',
});

const script = (...turns: readonly object[]): string => JSON.stringify({ turns });

/** Models by name; the first is the default. */
function withModels(
  models: Readonly<Record<string, object>>,
  files: Readonly<Record<string, string>>,
): WorkspaceOptions {
  return { config: { models, default_model: Object.keys(models)[0] }, files };
}

export const RECOVERIES: readonly RecoveryCase[] = [
  [
    'retry',
    /^retry 1 of a in \d+ ms: .+\(http\.\w+\)$/,
    async () => {
      const { url, allowed } = await shaky();
      const fetch = {
        node_id: 'a',
        type: 'tool',
        tool: 'http.fetch',
        args: { url },
        max_retries: 1,
        next: 'end',
      };
      const workspace = withGraphs({ main: [START, fetch, END] });
      workspace.putAtHome(
        'config.json',
        JSON.stringify({ allow_private: [allowed], allow_hosts: [allowed] }),
      );
      return running(workspace);
    },
  ],
  [
    'retry',
    /^retry 1 of http\.fetch after \d+ ms: .+\(http\.\w+\)$/,
    async () => {
      const { url, allowed } = await shaky();
      const workspace = Workspace.trusted();
      workspace.putAtHome('config.json', JSON.stringify({ allow_private: [allowed] }));
      return { workspace, command: ['tools', 'call', 'http.fetch', JSON.stringify({ url })] };
    },
  ],
  [
    'on_error',
    new RegExp(`^on_error branch to other: .*${NO_FILE.source}`),
    async () => {
      const other = { node_id: 'other', type: 'transform', expression: '1', next: 'end' };
      return running(withGraphs({ main: [START, { ...MISSING, on_error: 'other' }, other, END] }));
    },
  ],
  [
    'fallback_output',
    new RegExp(`^fallback output of a used: .*${NO_FILE.source}`),
    async () => running(withGraphs({ main: [START, { ...MISSING, fallback_output: 'nothing' }, END] })),
  ],
  [
    'default_branch',
    /^default branch to end: .*perhaps/,
    async () => {
      const choose = {
        ...{ node_id: 'a', type: 'llm_condition', prompt: 'yes or no?', default: 'no' },
        ...{ branch_options: ['yes', 'no'], branch_targets: { yes: 'b', no: 'end' } },
      };
      const other = { node_id: 'b', type: 'transform', expression: '1', next: 'end' };
      const models = withModels(
        { actor: { provider: 'scripted', script: 's.json' } },
        { 's.json': script({ text: 'perhaps' }) },
      );
      return running(withGraphs({ main: [START, choose, other, END] }, models));
    },
  ],
  [
    'skipped',
    new RegExp(`^child run \\S+ left out: .*${NO_FILE.source}`),
    async () => {
      const each = {
        node_id: 'a',
        type: 'map',
        items: [1],
        max_items: 1,
        graph: 'part',
        on_error: 'skip',
        next: 'end',
      };
      return running(withGraphs({ main: [START, each, END], part: [START, MISSING, END] }));
    },
  ],
  [
    'reused',
    /^files\.write not called: run \S+, step \d+, recorded the outcome of its idempotency key main\/k$/,
    async () => {
      const write = {
        ...{ node_id: 'a', type: 'tool', tool: 'files.write', args: { path: 'x', content: 'x' } },
        ...{ idempotency_key: 'k', next: 'end' },
      };
      const workspace = withGraphs({ main: [START, write, END] });
      await workspace.answer('graph', 'run', 'main');
      return running(workspace);
    },
  ],
  [
    'recovered',
    /^files\.write called again \(attempt 2\): the process stopped before the outcome was recorded/,
    async () => {
      const workspace = Workspace.trusted();
      return { workspace, command: ['runs', 'resume', await interruptedWrite(workspace)] };
    },
  ],
  [
    'cached',
    /^files\.read not called: the cache has its result for the same arguments$/,
    async () => {
      const workspace = Workspace.trusted({ files: { 'a.txt': 'a' } });
      await cachedRead(workspace);
      return { workspace };
    },
  ],
  [
    'repair',
    /^model asked again, because its answer was invalid: .+/,
    async () => {
      const turns = script({ once: true, error: 'malformed' }, { text: 'All is there.' });
      const models = withModels({ actor: { provider: 'scripted', script: 's.json' } }, { 's.json': turns });
      return { workspace: Workspace.trusted(models), command: ['do', 'look around'] };
    },
  ],
  [
    'fallback_model',
    /^fallback model used instead of \S+: .+\(models\.\w+\)$/,
    async () => {
      const port = await serve((_, response) => response.writeHead(503, { 'retry-after': '0' }).end('{}'));
      const workspace = Workspace.trusted({ files: { 's.json': script({ text: 'All is there.' }) } });
      const models = {
        far: { ...remote(port), fallback: ['near'] },
        near: { provider: 'scripted', script: 's.json' },
      };
      workspace.putAtHome('config.json', JSON.stringify({ models, default_model: 'far' }));
      return { workspace, command: ['do', 'look around'] };
    },
  ],
  [
    'model_retry',
    /^retry 1 of the model \S+ after \d+ ms: .+\(models\.\w+\)$/,
    async () => {
      let calls = 0;
      const port = await serve((_, response) => {
        calls += 1;
        if (calls === 1) return response.writeHead(503, { 'retry-after': '0' }).end('{}');
        const message = { role: 'assistant', content: 'All is there.' };
        response.setHeader('content-type', 'application/json');
        return response.end(
          JSON.stringify({ id: '1', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
        );
      });
      const ask = {
        node_id: 'a',
        type: 'ai_template',
        prompt_template: 'hello',
        output_format: 'text',
        next: 'end',
      };
      const workspace = withGraphs({ main: [START, ask, END] });
      workspace.putAtHome(
        'config.json',
        JSON.stringify({ models: { far: remote(port) }, default_model: 'far' }),
      );
      return running(workspace);
    },
  ],
];

/** Calls files.write in a process that ends before the outcome is recorded. Returns the run. */
async function interruptedWrite(workspace: Workspace): Promise<string> {
  let stopped = false;
  const stopping = (store: EventStore): EventStore =>
    new Proxy(store, {
      get: (target, name) => {
        const member = Reflect.get(target, name, target) as unknown;
        if (name !== 'commit') return typeof member === 'function' ? member.bind(target) : member;
        return (commit: Parameters<EventStore['commit']>[0]) => {
          const types = commit.appends.flatMap(({ events }) => events.map(({ type }) => type));
          stopped ||= types.includes('tool.completed');
          return stopped ? Promise.reject(new Error('the process stops here')) : target.commit(commit);
        };
      },
    });
  const oka = new Oka({
    workspace: workspace.root,
    home: workspace.home,
    owners: { self: 'a process that has ended', isAlive: () => true },
    wrapEvents: stopping,
  });
  const input = { path: 'x.txt', content: 'x' };
  await expect(oka.tools.call({ tool: 'files.write', input, patienceMs: 0 })).rejects.toThrow('stops here');
  await oka.close();
  return runOf(workspace);
}

/** Reads a file twice with a tool that may be cached. No built-in tool is, so an embedded engine records the runs. */
async function cachedRead(workspace: Workspace): Promise<void> {
  const ledger = new SqliteLedger(new WorkspaceFolder(workspace.root), {
    clock: systemClock,
    random: systemRandom,
    owners: { self: 'an embedded engine', isAlive: () => false },
  });
  await ledger.startWriting();
  const known = behaviour();
  const tools = known.tools.map((tool) =>
    tool.name === 'files.read' ? { ...tool, annotations: { ...tool.annotations, cacheable: true } } : tool,
  );
  const engine = new Engine({
    ...{ ...known, tools, events: ledger.events, runs: ledger.runs },
    capabilities: { files: new WorkspaceFiles(workspace.root) },
  });
  const vars = { tool: 'files.read', input: { path: 'a.txt' } };
  for (let call = 0; call < 2; call++) {
    const run = await engine.run({ kind: 'call', goal: 'read a.txt', vars });
    expect(run.ended?.status).toBe('completed');
  }
  await ledger.close();
}

/** The newest run that has no parent. */
export async function runOf(workspace: Workspace): Promise<string> {
  const { data } = await workspace.answer<{ runs: { id: string; parent?: string }[] }>('runs', 'list');
  return data.runs.find(({ parent }) => parent === undefined)?.id ?? '';
}
