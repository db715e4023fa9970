// A process that works on a graph with a tool whose effect may not be repeated, answers what the run asks, and kills
// itself (SIGKILL) before or after its n-th commit. It answers questions about unknown effects by checking them.
// `node graph-worker.mjs <workspace> <notes> <where> <n> run <graph> <input> | resume <run>`
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { FileArtifactStore, WorkspaceFiles } from '../../src/adapters/files/index.ts';
import { processOwners } from '../../src/adapters/processes/index.ts';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { Engine, type RunState, statusOf } from '../../src/engine/index.ts';
import { compileGraph, graphKind, toStateGraph } from '../../src/graph/index.ts';
import { type Json, systemClock, systemRandom } from '../../src/kernel/index.ts';
import { SqliteLedger } from '../../src/runtime/index.ts';
import { defineTool } from '../../src/tools/define-tool.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { Doom } from '../support/doomed-store.ts';

const [workspace, notes, where, count, command, name, input] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  'run' | 'resume',
  string,
  string?,
];
const doom = new Doom(where, count, () => appendFileSync(join(notes, 'commits'), 'x'));
const effects = join(workspace, 'effects.txt');

function timesDone(line: string): number {
  if (!existsSync(effects)) return 0;
  return readFileSync(effects, 'utf8')
    .split('\n')
    .filter((each) => each === line).length;
}

const append = defineTool({
  name: 'test.append',
  description: 'appends a line to a file; each call has its effect',
  input: z.strictObject({ line: z.string() }),
  output: z.strictObject({ line: z.string(), times: z.int() }),
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  handler: ({ line }) => {
    appendFileSync(effects, `${line}\n`);
    return { line, times: timesDone(line) };
  },
});

const folder = new WorkspaceFolder(workspace);
const owners = processOwners();
const ledger = new SqliteLedger(folder, {
  clock: systemClock,
  random: systemRandom,
  owners,
  wrapEvents: doom.wrap,
});
await ledger.startWriting();
const artifacts = new FileArtifactStore(folder.objects, systemClock);
const tools = [...builtInTools(), append];
const engine = new Engine({
  tools,
  kinds: [graphKind],
  events: ledger.events,
  runs: ledger.runs,
  owners,
  artifacts,
  capabilities: {
    files: new WorkspaceFiles(workspace),
    artifacts,
    state: { get: (graph: string, key: string) => ledger.graphState.get(graph, key) },
  },
});

function definition(graph: string): unknown {
  return JSON.parse(readFileSync(join(workspace, `${graph}.json`), 'utf8'));
}

async function start(): Promise<RunState> {
  const directory = {
    names: () => tools.map((tool) => tool.name),
    find: (wanted: string) => {
      const tool = tools.find((each) => each.name === wanted);
      if (tool === undefined) return undefined;
      const { idempotent, readOnly } = tool.annotations;
      return { name: wanted, inputSchema: () => tool.input.json(), idempotent, readOnly };
    },
  };
  const { graph, diagnostics } = compileGraph(definition(name), {
    tools: directory,
    graphs: { find: definition },
  });
  if (graph === undefined) throw new Error(JSON.stringify(diagnostics));
  return engine.run(
    {
      kind: 'graph',
      goal: graph.definition.name,
      subject: graph.definition.id,
      graph: await toStateGraph(graph, (used) => engine.storeGraph(used)),
      vars: { input: JSON.parse(input ?? 'null') as Json },
      budgets: {},
    },
    { patienceMs: 60_000 },
  );
}

/** The answer of a person who checks. */
function answerOf(run: RunState): string {
  if (run.waiting?.for !== 'answer' || run.waiting.about === 'question') return 'yes';
  const { line = '' } = (run.intent?.call.input ?? {}) as { line?: string };
  const answer = timesDone(line) === 0 ? 'retry' : 'done';
  appendFileSync(join(notes, 'told'), `${answer} ${line}\n`);
  return answer;
}

/** Answers open questions and sends awaited events; false when there is nothing to do. */
async function attend(run: RunState): Promise<boolean> {
  const open = await ledger.runs.approvals({ status: 'pending' });
  for (const approval of open) {
    const answer = answerOf(await engine.load(approval.run));
    await engine.decide(approval.id, { kind: 'answer', answer }, 'ann');
  }
  const { waiting } = run;
  if (waiting?.for !== 'outcome' || waiting.pending.kind !== 'event') return open.length > 0;
  await engine.signal(run.id, waiting.pending.event, { sent: true }, 'ann');
  return true;
}

let run = command === 'run' ? await start() : await engine.resume(name, { patienceMs: 60_000 });
while (!run.ended && (await attend(run))) run = await engine.resume(run.id, { patienceMs: 60_000 });
await engine.close();
await ledger.close();
const outputs = Object.entries(run.latest).map(([node, at]) => [node, run.evidence[at]?.output ?? null]);
process.stdout.write(
  JSON.stringify({
    id: run.id,
    status: statusOf(run),
    output: run.output ?? null,
    failure: run.failure?.code,
    outputs: Object.fromEntries(outputs),
  }),
);
