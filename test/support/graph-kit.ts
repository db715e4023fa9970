import * as z from 'zod';
import { Engine, MemoryRunStore, type RunState, runProjection, type Tool } from '../../src/engine/index.ts';
import {
  compileGraph,
  type GuaranteeMode,
  graphKind,
  graphStateProjection,
  MemoryGraphStateStore,
  toStateGraph,
} from '../../src/graph/index.ts';
import { type Json, OkaError } from '../../src/kernel/index.ts';
import { MemoryEventStore } from '../../src/ledger/index.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { ManualClock } from './manual-clock.ts';
import { seededRandom } from './seeded-random.ts';

const READ = {
  readOnly: true,
  destructive: false,
  idempotent: true,
  cacheable: false,
  risk: 'none',
} as const;
const ACT = {
  readOnly: false,
  destructive: false,
  idempotent: false,
  cacheable: false,
  risk: 'low',
} as const;

/** An engine in memory that runs graphs, with a tool that answers and one that acts. */
export function graphKit() {
  const clock = new ManualClock();
  const random = seededRandom(1);
  const effects: Json[] = [];
  const failing = { left: 0, transient: true };
  const echo = defineTool({
    name: 'test.echo',
    description: 'gives back its input',
    input: z.json(),
    output: z.json(),
    annotations: READ,
    sideEffect: 'read',
    handler: (input) => {
      if (failing.left > 0) {
        failing.left -= 1;
        throw new OkaError('test.busy', 'the tool is busy.', { transient: failing.transient });
      }
      return input;
    },
  });
  const act = defineTool({
    name: 'test.act',
    description: 'has an effect',
    input: z.json(),
    output: z.json(),
    annotations: ACT,
    sideEffect: 'write_local',
    handler: (input) => {
      effects.push(input as Json);
      return { done: effects.length };
    },
  });
  const events = new MemoryEventStore({ clock, random, projections: [runProjection, graphStateProjection] });
  const state = new MemoryGraphStateStore(events.tables);
  const runs = new MemoryRunStore(events.tables);
  const tools: Tool[] = [...builtInTools(), echo, act];
  const engine = new Engine({
    tools,
    kinds: [graphKind],
    events,
    runs,
    clock,
    random,
    capabilities: {
      state: {
        get: (graph: string, key: string) => state.get(graph, key),
        priorRuns: async ({ graph, except }: { graph: string; except: string }) =>
          (await runs.list({ subject: graph })).filter(({ id }) => id !== except),
      },
    },
  });
  const directory = {
    find: (name: string) => {
      const tool = tools.find((one) => one.name === name);
      const { idempotent, readOnly } = tool?.annotations ?? READ;
      return tool && { name, inputSchema: () => tool.input.json(), idempotent, readOnly };
    },
    names: () => tools.map(({ name }) => name),
  };
  const graphs: Record<string, unknown> = {};
  const start = async (
    nodes: readonly object[],
    options: {
      input?: Json;
      mode?: GuaranteeMode;
      id?: string;
      defaults?: object;
      budgets?: Readonly<Record<string, number>>;
    } = {},
  ): Promise<RunState> => {
    const definition = defineGraph(nodes, options);
    const compiled = compileGraph(definition, { tools: directory, graphs: { find: (name) => graphs[name] } });
    if (compiled.graph === undefined) throw new Error(JSON.stringify(compiled.diagnostics, null, 1));
    const graph = await toStateGraph(compiled.graph, (used) => engine.storeGraph(used));
    const { budgets = {} } = options;
    const request = { kind: 'graph', goal: 'test', graph, subject: definition.id, budgets };
    return engine.run({ ...request, vars: { input: options.input ?? null } }, { patienceMs: 0 });
  };
  return { engine, clock, effects, failing, start, graphs, state };
}

/** A graph around some nodes. */
export function defineGraph(
  nodes: readonly object[],
  options: { mode?: GuaranteeMode; id?: string; defaults?: object } = {},
) {
  return {
    id: options.id ?? 'g',
    name: 'a graph',
    version: 1,
    start: 'start',
    max_steps: 100,
    execution_defaults: {
      guarantee_mode: options.mode ?? 'bounded',
      timeout_seconds: 10,
      max_retries: 2,
      ...options.defaults,
    },
    nodes,
  };
}
