// A workspace in which runs of every shape can be recorded: agents with scripted models, graphs, an MCP server, a skill,
// a web server and a conversation.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { writeRoom } from '../chat/chat-room.ts';
import { fixture } from '../mcp/mcp-kit.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { ShiftedClock } from '../support/shifted-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

type Turn = Readonly<Record<string, unknown>>;

const call = (tool: string, input: unknown): Turn => ({ tool, input });
const calls = (...list: readonly Turn[]): Turn => ({ once: true, text: 'I work.', tool_calls: list });
const START = { node_id: 'start', type: 'start', next: 'a' };
const END = { node_id: 'end', type: 'end' };
const POLICY_HEAD = '| match | decision | why |\n|---|---|---|\n';

/** The agents and the turns of their models. */
const AGENTS = {
  writer: {
    turns: [
      calls(call('files.list', { path: 'beds' })),
      calls(
        call('files.write', { path: 'notes/written.md', content: 'peas\n' }),
        call('files.read', { path: 'notes/written.md' }),
      ),
      { text: 'It is written.' },
    ],
  },
  runner: {
    turns: [calls(call('process.run', { argv: ['cat', 'a.txt'] })), { text: 'It ran.' }],
  },
  remote: {
    turns: [
      calls(call('mcp.notes.read', { n: 1 }), call('mcp.notes.send', { to: 'ann' })),
      { text: 'It was sent.' },
    ],
  },
  skilled: {
    turns: [calls(call('skills.read', { skill: 'watering' })), { text: 'I read the skill.' }],
  },
  delegating: {
    turns: [
      calls(call('graph.run', { graph: 'keep', input: { word: 'delegated' } })),
      calls(call('memory.remember', { text: 'the beds are watered on Monday' })),
      { text: 'It was done by a graph.' },
    ],
  },
  asking: {
    turns: [calls(call('agent.ask_person', { question: 'Which bed?' })), { text: 'Asked and done.' }],
  },
  refused: { turns: [{ error: 'refused' }] },
  talker: { turns: [{ text: 'Hello to all.' }] },
  failing: {
    turns: [calls(call('files.read', { path: 'missing.txt' })), { text: 'There is no such file.' }],
  },
} as const;

const TASK = (id: string, path: string, needs: readonly string[] = []) => ({
  id,
  title: `write ${path}`,
  depends_on: needs,
  acceptance: [{ file_exists: path }],
});

/** The default model: plans two tasks, does them, and judges them. */
const PLANNER: readonly Turn[] = [
  {
    role: 'planner',
    json: { goal: 'two notes', tasks: [TASK('one', 'one.md'), TASK('two', 'two.md', ['one'])] },
  },
  { role: 'executor', when: 'write one.md', ...calls(call('files.write', { path: 'one.md', content: '1' })) },
  { role: 'executor', when: 'write two.md', ...calls(call('files.write', { path: 'two.md', content: '2' })) },
  { role: 'executor', text: 'It is done.' },
  { text: 'a short answer' },
];

function graphs(url: string): Readonly<Record<string, unknown>> {
  const fetch = (id: string, path: string, next: string, more: object = {}) => ({
    node_id: id,
    type: 'tool',
    tool: 'http.fetch',
    args: { url: `${url}${path}` },
    next,
    ...more,
  });
  const flex = { mode: 'flex' as const };
  return {
    keep: defineGraph(
      [
        START,
        { node_id: 'a', type: 'write_state', key: 'word', value: '{{input.word}}', next: 'b' },
        { node_id: 'b', type: 'read_state', key: 'word', next: 'c' },
        {
          node_id: 'c',
          type: 'tool',
          tool: 'files.write',
          args: { path: 'word.txt', content: '{{input.word}}' },
          next: 'd',
        },
        { node_id: 'd', type: 'read_prior_runs', limit: 3, next: 'end' },
        { ...END, input: { word: '{{b.value}}', path: '{{c.path}}' } },
      ],
      { id: 'keep' },
    ),
    each: defineGraph(
      [
        START,
        { node_id: 'a', type: 'map', items: '{{input.words}}', graph: 'keep', max_items: 9, next: 'b' },
        { node_id: 'b', type: 'subgraph', graph: 'keep', input: { word: 'last' }, next: 'end' },
        END,
      ],
      { id: 'each' },
    ),
    retried: defineGraph([START, fetch('a', '/flaky/{{input.id}}/2', 'end', { max_retries: 3 }), END], {
      id: 'retried',
    }),
    remedied: defineGraph(
      [
        START,
        {
          node_id: 'a',
          type: 'tool',
          tool: 'files.read',
          args: { path: 'missing.txt' },
          next: 'b',
          on_error: 'b',
        },
        {
          node_id: 'b',
          type: 'tool',
          tool: 'files.read',
          args: { path: 'missing.txt' },
          next: 'end',
          fallback_output: { content: 'instead' },
        },
        END,
      ],
      { id: 'remedied', ...flex },
    ),
    collected: defineGraph(
      [
        START,
        {
          node_id: 'a',
          type: 'map',
          items: ['a.txt', 'missing.txt'],
          graph: 'reads',
          on_error: 'collect',
          max_items: 5,
          next: 'end',
        },
        END,
      ],
      { id: 'collected' },
    ),
    reads: defineGraph(
      [
        START,
        { node_id: 'a', type: 'tool', tool: 'files.read', args: { path: '{{input}}' }, next: 'end' },
        END,
      ],
      { id: 'reads' },
    ),
    waits: defineGraph(
      [
        START,
        { node_id: 'a', type: 'wait', event: 'rain', timeout_seconds: 600, on_error: 'end', next: 'b' },
        { node_id: 'b', type: 'wait', seconds: 5, next: 'end' },
        END,
      ],
      { id: 'waits' },
    ),
    asks: defineGraph(
      [
        START,
        {
          node_id: 'a',
          type: 'approval',
          question: 'Water {{input.bed}}?',
          options: ['yes', 'no'],
          next: 'b',
        },
        {
          node_id: 'b',
          type: 'typed_condition',
          left: '{{a.answer}}',
          operator: 'eq',
          right: 'yes',
          if_true: 'c',
          if_false: 'end',
        },
        {
          node_id: 'c',
          type: 'ai_template',
          prompt_template: 'Say it for {{input.bed}}',
          output_format: 'text',
          next: 'end',
        },
        END,
      ],
      { id: 'asks' },
    ),
    works: defineGraph(
      [
        START,
        { node_id: 'a', type: 'agent', goal: 'write one.md', budgets: { steps: 30 }, next: 'b' },
        { node_id: 'b', type: 'transform', expression: '{ "said": $ }', next: 'end' },
        END,
      ],
      { id: 'works' },
    ),
    once: defineGraph(
      [
        START,
        {
          node_id: 'a',
          type: 'tool',
          tool: 'files.write',
          args: { path: 'once.txt', content: 'once' },
          idempotency_key: '{{input.key}}',
          next: 'end',
        },
        END,
      ],
      { id: 'once' },
    ),
    large: defineGraph(
      [
        START,
        {
          node_id: 'a',
          type: 'tool',
          tool: 'files.read',
          args: { path: 'large.txt', max_bytes: 200000 },
          next: 'b',
        },
        { node_id: 'b', type: 'transform', input: '{{a.content}}', expression: '$length($)', next: 'end' },
        END,
      ],
      { id: 'large' },
    ),
  };
}

export class RecordedWorld {
  readonly root: string;
  readonly home: string;
  readonly clock = new ShiftedClock();
  readonly url: string;
  oka: Oka;

  private constructor(root: string, home: string, url: string) {
    this.root = root;
    this.home = home;
    this.url = url;
    this.oka = this.#open();
  }

  #open(): Oka {
    return new Oka({ workspace: this.root, home: this.home, clock: this.clock });
  }

  static async open(): Promise<RecordedWorld> {
    const url = await serveFlaky();
    const root = tempFolder();
    const home = join(tempFolder(), 'home');
    writeRoom(root, home, AGENTS as never, {
      models: { planner: { provider: 'scripted', script: 'scripts/planner.json' } },
      approval_expires_seconds: 3_600,
    });
    const world = new RecordedWorld(root, home, url);
    onTestFinished(() => world.oka.close());
    world.put('scripts/planner.json', JSON.stringify({ turns: PLANNER }));
    const hosts = [new URL(url).host];
    world.putAtHome('config.json', JSON.stringify({ allow_private: hosts, allow_hosts: hosts }));
    world.putAtHome('POLICY.md', `${POLICY_HEAD}| process.run and argv[0] is echo | allow | harmless |\n`);
    for (const [name, graph] of Object.entries(graphs(url)))
      world.put(`.oka/graphs/${name}.json`, JSON.stringify(graph));
    world.put(
      '.oka/skills/watering/SKILL.md',
      '---\nname: watering\ndescription: How to water.\n---\nEarly.\n',
    );
    world.put('beds/one.txt', 'peas');
    world.put('a.txt', 'same');
    world.put('b.txt', 'same');
    world.put('large.txt', 'x'.repeat(150_000));
    world.put('README.md', '# Garden\n\nTODO: water\n');
    await world.#addServer();
    await world.oka.chat.create({ name: 'room', by: 'ann' });
    return world;
  }

  async #addServer(): Promise<void> {
    const launch = fixture({
      once: join(this.home, 'server-died'),
      tools: [
        { name: 'read', does: 'echo', annotations: { readOnlyHint: true } },
        { name: 'send', does: 'echo', annotations: { readOnlyHint: false } },
        { name: 'lose', does: 'die', annotations: { readOnlyHint: false } },
      ],
    });
    // The server notes outside the workspace that it has died.
    const definition = { ...launch, sandbox: 'off' };
    await this.oka.mcp.add({ name: 'notes', launch: definition as never, user: true });
    await this.oka.mcp.test({ name: 'notes', by: 'ann', approve: { trustHints: true } });
    // The engine reads the servers when it opens.
    await this.reopen();
  }

  async reopen(): Promise<void> {
    await this.oka.close();
    this.oka = this.#open();
  }

  put(path: string, content: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  putAtHome(path: string, content: string): void {
    writeFileSync(join(this.home, path), content);
  }

  /** The server dies at its next call of `lose`. */
  forgetDeath(): void {
    rmSync(join(this.home, 'server-died'), { force: true });
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  do(goal: string, more: object = {}): Promise<RunAnswer> {
    return this.oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0, ...more });
  }

  graph(graph: string, input: unknown = {}): Promise<RunAnswer> {
    return this.oka.graphs.run({ graph, input: input as never, patienceMs: 0 } as never);
  }

  /** Decides about what a run and its children wait for, until they wait for nothing that a person can give. */
  async settle(answer: RunAnswer, decide: Decide = {}): Promise<RunAnswer> {
    let now = answer;
    for (let round = 0; round < 12; round++) {
      const pending = (await this.oka.approvals.list({ status: 'pending' })).filter(
        ({ run }) => run === now.run.id || decide.children === true,
      );
      const [open] = pending;
      if (open !== undefined) {
        if (decide.deny === true && open.kind === 'tool') await this.oka.approvals.deny(open.id, 'ann');
        else
          await this.oka.approvals.approve(
            {
              id: open.id,
              by: 'ann',
              ...(open.kind === 'tool' ? {} : { answer: decide.answer ?? open.options?.[0] ?? 'the first' }),
              ...(open.kind === 'tool' && decide.edit !== undefined ? { edit: decide.edit as never } : {}),
            },
            0,
          );
      } else if (['time', 'timer'].includes(now.run.waitingFor?.what ?? '')) {
        this.clock.advance(120_000);
        await this.resume(now.run.id);
      } else return now;
      now = await this.oka.runs.show(now.run.id);
    }
    return now;
  }

  resume(run: string, addBudgets: Readonly<Record<string, number>> = {}): Promise<RunAnswer> {
    return this.oka.runs.resume({ run, by: 'ann', repin: false, addBudgets, patienceMs: 0 });
  }
}

export interface Decide {
  readonly deny?: boolean;
  readonly answer?: string;
  readonly edit?: unknown;
  /** Also decides what other runs wait for. */
  readonly children?: boolean;
}

/** A server on this machine whose first answers to `/flaky/<id>/<count>` are cut connections. */
async function serveFlaky(): Promise<string> {
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    const [, kind, id = '', count = '0'] = (request.url ?? '').split('/');
    const before = seen.get(id) ?? 0;
    seen.set(id, before + 1);
    if (kind === 'flaky' && before < Number(count)) return void request.socket.destroy();
    response.setHeader('content-type', 'text/plain').end(`page ${id}`);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
