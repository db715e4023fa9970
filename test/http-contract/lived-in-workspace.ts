import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OkaApi } from '../../src/api/index.ts';
import { checkedOka } from '../../src/api/index.ts';
import { Oka } from '../../src/runtime/index.ts';

const GRAPH = {
  id: 'hello',
  name: 'Hello',
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'flex' },
  nodes: [
    { node_id: 'start', type: 'start', next: 'write' },
    {
      ...{ node_id: 'write', type: 'write_state', key: 'greeting', value: 'hello', next: 'end' },
    },
    { node_id: 'end', type: 'end' },
  ],
};

/** A workspace with something of everything that routes show. */
export interface LivedInWorkspace {
  readonly oka: Oka;
  /** Compares each answer with its schema. */
  readonly api: OkaApi;
  readonly workspace: string;
  readonly graph: typeof GRAPH;
  readonly ids: Readonly<
    Record<'run' | 'graphRun' | 'waiting' | 'approval' | 'fact' | 'schedule' | 'root', string>
  >;
  close(): Promise<void>;
}

export async function openLivedInWorkspace(): Promise<LivedInWorkspace> {
  // Shared by the tests of a file, so it is removed by `close`.
  const around = realpathSync(mkdtempSync(join(tmpdir(), 'oka-http-')));
  const [workspace, home] = [join(around, 'work'), join(around, 'home')];
  mkdirSync(join(workspace, '.oka/graphs'), { recursive: true });
  mkdirSync(home);
  writeFileSync(join(workspace, 'notes.txt'), 'notes\n');
  writeFileSync(join(workspace, '.oka/graphs/hello.json'), JSON.stringify(GRAPH));
  const oka = new Oka({ workspace, home });
  await oka.init({ trust: true });
  const api = checkedOka(oka);
  const by = 'tester';
  const patienceMs = 0;
  const { run } = await api.tools.call({ tool: 'files.read', input: { path: 'notes.txt' }, patienceMs });
  const { run: waiting } = await api.tools.call({
    tool: 'files.delete',
    input: { path: 'notes.txt' },
    patienceMs,
  });
  const graph = await api.graphs.run({
    ...{ graph: 'hello', input: {}, vars: {}, simulate: false, budgets: {}, patienceMs },
  });
  await api.graphs.run({
    ...{ graph: 'hello', input: {}, vars: {}, simulate: true, budgets: {}, patienceMs },
  });
  const { fact } = await api.memory.addFact({ text: 'the sky is blue', by });
  const schedule = await api.graphs.schedules.add({ graph: 'hello', cron: '0 9 * * *', by });
  await api.chat.create({ name: 'plans', by });
  await api.chat.send({ conversation: 'plans', text: 'hello', by });
  const { root } = await api.context.scan({ force: false, by });
  await api.context.putFrame({ node: 'notes.txt', type: 'note', content: 'a note', agent: 'user', by });
  return {
    ...{ oka, api, workspace, graph: GRAPH },
    ids: {
      ...{ run: run.id, graphRun: graph.run.id, waiting: waiting.id, root },
      ...{ approval: waiting.waitingFor?.approval ?? '', fact: fact.id, schedule: schedule.id },
    },
    close: async () => {
      await oka.close();
      rmSync(around, { recursive: true, force: true });
    },
  };
}
