// Oka walking compiled graphs of tool nodes: read, checked and pinned as the runtime does it, then run by the graph
// planner. Called with a workload and a workspace folder.

import { compileGraph, graphKind, parseGraphText, toStateGraph } from '../../src/graph/index.ts';
import { runChildren } from '../../src/tools/run-children.ts';
import { engineLoop } from './engine-loop.mjs';
import { makeTool, openOka } from './open-oka.mjs';
import {
  answer,
  CONCURRENT_RUNS,
  GOES,
  MAPPED_ITEMS,
  MEASURED_RUNS,
  NODES_TO_COMPILE,
  quickest,
  result,
  STEPS,
  STEPS_OF_A_SHORT_RUN,
  stepsPerSecond,
  timePer,
  WARM_UP_RUNS,
} from './workload.mjs';

const NODES_OF_A_ROUND = 10;
const COMPILES = 5;
const MAP_GOES = 2;

const nodeName = (i) => `node-${i}`;

/** Calls the tool with the number that the node before has given. */
function toolNode(i, next) {
  const args = { i: '{{last.step}}' };
  return { node_id: nodeName(i), type: 'tool', tool: 'advance', args, next };
}

/** A graph around some nodes; `output` is what it ends with, or else the output of its last node. */
function define(id, nodes, output) {
  return {
    id,
    name: id,
    version: 1,
    start: 'start',
    max_steps: 1_000_000,
    execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 60, max_retries: 2 },
    nodes: [
      { node_id: 'start', type: 'start', next: nodeName(0) },
      ...nodes,
      { node_id: 'end', type: 'end', ...(output === undefined ? {} : { input: output }) },
    ],
  };
}

/** One tool node after another. */
function chain(length) {
  const next = (i) => (i + 1 < length ? nodeName(i + 1) : 'end');
  return define(
    `chain-${length}`,
    Array.from({ length }, (_, i) => toolNode(i, next(i))),
  );
}

/** A round of tool nodes, and a condition that leads back to the first one until `steps` were taken. */
function loop(round, steps) {
  const next = (i) => (i + 1 < round ? nodeName(i + 1) : 'more');
  return define(`loop-${round}`, [
    ...Array.from({ length: round }, (_, i) => toolNode(i, next(i))),
    { node_id: 'more', type: 'typed_condition', ...until(steps), if_true: nodeName(0), if_false: 'end' },
  ]);
}

const until = (steps) => ({ left: '{{last.step}}', operator: 'lt', right: steps });

/** Tool nodes that also name a node before them, and after each ten a condition that may lead back to the first of them. */
function large(length) {
  const next = (i) => (i + 1 < length ? nodeName(i + 1) : 'end');
  const node = (i) => {
    const place = i % NODES_OF_A_ROUND;
    if (place === NODES_OF_A_ROUND - 1) {
      const back = nodeName(i - place);
      return {
        node_id: nodeName(i),
        type: 'typed_condition',
        ...until(i),
        if_true: back,
        if_false: next(i),
      };
    }
    const args = { i: place === 0 ? '{{input.step}}' : `{{${nodeName(i - 1)}.step}}` };
    return { ...toolNode(i, next(i)), args };
  };
  return define(
    'large',
    Array.from({ length }, (_, i) => node(i)),
  );
}

/** A map over a list of numbers, which runs `each` once for each of them. */
function mapOver(each) {
  return define('map', [
    {
      node_id: nodeName(0),
      type: 'map',
      items: '{{input.items}}',
      graph: each.id,
      max_items: 10_000,
      next: 'end',
    },
  ]);
}

/** A tool that gives the number after the one it was given. */
function advance(onAdvance = () => {}) {
  return makeTool('advance', 'read', async ({ i }) => {
    onAdvance(i);
    return result(i + 1);
  });
}

function compile(text, tool, graphs = {}) {
  const find = (name) =>
    name === tool.name
      ? { name, inputSchema: () => tool.input.json(), idempotent: true, readOnly: true }
      : undefined;
  const { definition } = parseGraphText(text);
  const { graph, diagnostics } = compileGraph(definition, {
    tools: { find, names: () => [tool.name] },
    graphs: { find: (name) => graphs[name] },
  });
  if (graph === undefined || diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics.slice(0, 3)));
  return graph;
}

/** What a run is pinned to. */
function pin(compiled, storeUsed = refuseUsed) {
  return toStateGraph(compiled, storeUsed);
}

function refuseUsed() {
  throw new Error('the graph uses another one');
}

async function open(workspace, definitions, onAdvance) {
  const tool = advance(onAdvance);
  const bare = engineLoop('bare', 'advance', STEPS);
  const opened = await openOka(workspace, { kinds: [graphKind, bare], tools: [tool] });
  const requests = new Map();
  for (const definition of definitions) {
    const graph = await pin(compile(JSON.stringify(definition), tool));
    const vars = { input: { step: 0 } };
    requests.set(definition, { kind: 'graph', graph, subject: definition.id, vars });
  }
  const together = async (definition, runs, steps) => {
    const outputs = await opened.together(requests.get(definition), runs);
    for (const output of outputs)
      if (output?.step !== steps) throw new Error(`a run ended with ${JSON.stringify(output)}`);
  };
  return {
    ...opened,
    together,
    run: (definition) => together(definition, 1, STEPS),
    runBare: () => opened.together({ kind: 'bare' }, 1),
  };
}

/** The quickest of each, run by turns, so that all of them find the machine in the same mood. */
async function timeRuns(...runs) {
  const times = runs.map(() => []);
  for (let i = 0; i < WARM_UP_RUNS + MEASURED_RUNS; i++)
    for (const [which, run] of runs.entries()) times[which].push(await timePer(STEPS, run));
  return times.map((taken) => quickest(taken.slice(WARM_UP_RUNS)));
}

const workloads = {
  /**
   * Microseconds per tool node, conditions included; per round of the tightest loop, a tool node and a condition; and per
   * step of the bare engine.
   */
  async loop(workspace) {
    const rounds = loop(NODES_OF_A_ROUND, STEPS);
    const tight = loop(1, STEPS);
    const { run, runBare, ledger } = await open(workspace, [rounds, tight]);
    const [bareUs, stepUs, tightUs] = await timeRuns(
      runBare,
      () => run(rounds),
      () => run(tight),
    );
    await ledger.close();
    answer({ stepUs, tightUs, bareUs });
  },

  /** Microseconds per tool node of a chain of 1,000, and per step of the bare engine. */
  async chain(workspace) {
    const graph = chain(STEPS);
    const { run, runBare, ledger } = await open(workspace, [graph]);
    const [bareUs, stepUs] = await timeRuns(runBare, () => run(graph));
    await ledger.close();
    answer({ stepUs, bareUs });
  },

  /** Tool nodes per second when 1,000 runs of five go on at once. */
  async concurrent(workspace) {
    const graph = chain(STEPS_OF_A_SHORT_RUN);
    const opened = await open(workspace, [graph]);
    const together = (runs) => opened.together(graph, runs, STEPS_OF_A_SHORT_RUN);
    for (let i = 0; i < WARM_UP_RUNS; i++) await together(STEPS / STEPS_OF_A_SHORT_RUN);
    const quickestGo = await stepsPerSecond(GOES, () => together(CONCURRENT_RUNS));
    await opened.ledger.close();
    answer({ stepsPerSecond: quickestGo });
  },

  /** Milliseconds of a map over 5,000 items and of one over 10,000; each item is a run of one tool node. */
  async map(workspace) {
    const tool = advance();
    const { engine, ledger } = await openOka(workspace, { kinds: [graphKind], tools: [tool, runChildren] });
    const each = define('each', [{ ...toolNode(0, 'end'), args: { i: '{{input}}' } }], '{{last.step}}');
    const compiled = compile(JSON.stringify(mapOver(each)), tool, { each });
    const graph = await pin(compiled, (used) => engine.storeGraph(used));
    const run = async (count) => {
      const items = Array.from({ length: count }, (_, i) => i);
      const { ended, output, failure } = await engine.run({
        kind: 'graph',
        goal: 'map',
        graph,
        subject: 'map',
        vars: { input: { items } },
        budgets: { children: count },
      });
      if (ended?.status !== 'completed' || output.length !== count)
        throw new Error(`the map ended as ${ended?.status}: ${failure?.message}`);
    };
    await run(MAPPED_ITEMS / 5);
    const half = [];
    const whole = [];
    for (let go = 0; go < MAP_GOES; go++) {
      half.push((await timePer(1, () => run(MAPPED_ITEMS / 2))) / 1_000);
      whole.push((await timePer(1, () => run(MAPPED_ITEMS))) / 1_000);
    }
    await ledger.close();
    answer({ halfMs: quickest(half), wholeMs: quickest(whole) });
  },

  /** A run of a chain that is killed in its last tool node. */
  async crash(workspace) {
    const onAdvance = (i) => {
      if (i === STEPS - 1) process.kill(process.pid, 'SIGKILL');
    };
    const graph = chain(STEPS);
    const { run } = await open(workspace, [graph], onAdvance);
    await run(graph);
  },

  /** Milliseconds from opening the workspace of a killed run to the end of the run. */
  async resume(workspace) {
    let advanced = 0;
    const from = performance.now();
    const { engine, ledger } = await open(workspace, [], () => {
      advanced += 1;
    });
    const [{ id }] = await ledger.runs.list({ limit: 1 });
    const run = await engine.resume(id);
    const resumeMs = performance.now() - from;
    if (run.ended?.status !== 'completed' || advanced !== 1)
      throw new Error(`resumed with ${advanced} steps`);
    await ledger.close();
    answer({ resumeMs });
  },

  /** Milliseconds from the text of a graph of 10,000 nodes to the compiled graph: the first time, and when warm. */
  async compile() {
    const tool = advance();
    const text = JSON.stringify(large(NODES_TO_COMPILE));
    const times = [];
    let compiled;
    for (let i = 0; i < COMPILES; i++) {
      const us = await timePer(1, () => {
        compiled = compile(text, tool);
      });
      times.push(us / 1_000);
    }
    const pinMs = (await timePer(1, () => pin(compiled))) / 1_000;
    answer({ compileMs: times[0], warmMs: quickest(times.slice(1)), pinMs });
  },
};

const [workload, ...args] = process.argv.slice(2);
await workloads[workload](...args);
