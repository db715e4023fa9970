import { canonicalJson, type Json } from '../kernel/index.ts';
import type { LedgerEvent } from '../ledger/index.ts';
import { Engine, type EngineOptions } from './engine.ts';
import { type ExplainedAction, explainRun } from './explain.ts';
import { foldRun } from './fold-run.ts';
import type { ArtifactStore, Policy } from './ports.ts';
import type { ReplayDifference, ReplayReport } from './replay-decisions.ts';
import { StateGraph, type StateGraphSpec } from './state-graph.ts';
import type { Tool, ToolContext } from './tool.ts';
import type { RunId } from './types.ts';

/**
 * Executes a run again in isolation: read-only tools run for real, idempotent ones run on the overlay that
 * `options.capabilities` must provide, all others return the recorded output. Nothing is written.
 */
export async function replayFully(
  recorded: readonly LedgerEvent[],
  options: Pick<EngineOptions, 'tools' | 'kinds' | 'artifacts' | 'capabilities' | 'clock' | 'redactor'>,
): Promise<ReplayReport> {
  const original = foldRun(recorded);
  const before = explainRun(recorded);
  if (original === undefined || before === undefined)
    return { mode: 'full', compared: 0, differences: [], notes: ['no events'] };
  if (recorded.some((event) => event.bodyErased)) {
    const note = 'content of this run was erased, so it cannot be executed again';
    return { mode: 'full', compared: 0, differences: [], notes: [note] };
  }
  const record = new RunRecord(before.actions);
  await undoOnOverlay(recorded, options);
  const engine = new Engine({
    ...options,
    tools: [...options.tools].map((tool) => replayed(tool, record)),
    policy: { ...ALLOW_ALL, version: original.pins.policy },
    limits: original.limits,
    requiresPrice: original.requiresPrice === true,
  });
  const spec = await options.artifacts?.get(original.pins.graph);
  const graph = spec && graphOf(spec, recorded[0]?.data['to'] !== undefined);
  const request = { kind: original.kind, goal: original.goal, vars: original.vars, id: original.id };
  let run = await engine.run({ ...request, ...(graph ? { graph } : {}) }, { patienceMs: 0 });
  while (run.waiting?.for === 'answer') {
    const answer = record.nextAnswer();
    if (answer === undefined) break;
    await engine.decide(run.waiting.id, { kind: 'answer', answer }, 'the record');
    run = await engine.resume(run.id, { patienceMs: 0 });
  }
  return compare(before.actions, (await engine.explain(run.id)).actions, record.notes);
}

/** The pinned graph. It skips its start state only if the run did: with node hooks, the run did not. */
function graphOf(bytes: Uint8Array, passed: boolean): StateGraph {
  const { passesStart, ...spec } = JSON.parse(new TextDecoder().decode(bytes)) as StateGraphSpec;
  return new StateGraph(passed && passesStart ? { ...spec, passesStart } : spec);
}

/** Undoes the run's changes on the overlay, so that the replay starts from the same files. */
async function undoOnOverlay(
  recorded: readonly LedgerEvent[],
  options: Pick<EngineOptions, 'tools' | 'artifacts' | 'capabilities'>,
): Promise<void> {
  const tools = new Map([...options.tools].map((tool) => [tool.name, tool]));
  for (const event of [...recorded].reverse()) {
    if (event.type !== 'tool.intended') continue;
    const { input, preimage } = (event.body ?? {}) as { input?: Json; preimage?: Json };
    const tool = tools.get(event.data['tool'] as string);
    if (preimage === undefined || input === undefined || !tool?.simulatable) continue;
    await tool.undo?.({ input, preimage, force: true }, replayContext(event, options));
  }
}

function replayContext(
  event: LedgerEvent,
  options: Pick<EngineOptions, 'artifacts' | 'capabilities'>,
): ToolContext {
  return {
    runId: event.stream.slice('run/'.length) as RunId,
    step: event.data['step'] as number,
    signal: new AbortController().signal,
    idempotencyKey: 'replay',
    capabilities: options.capabilities ?? {},
    emitArtifact: (content, about) => (options.artifacts as ArtifactStore).put(content, about),
    record: () => undefined,
    charge: () => undefined,
    now: () => event.at,
  };
}

const ALLOW_ALL: Omit<Policy, 'version'> = {
  decide: () => ({ decision: 'allow', rule: 'replay', why: 'a replay has no side effects' }),
};

/** The recorded outputs of tools and answers of people, in order. */
class RunRecord {
  readonly notes: string[] = [];
  readonly #outputs = new Map<string, Json[]>();
  readonly #answers: string[] = [];

  constructor(actions: readonly ExplainedAction[]) {
    for (const action of actions) {
      if (action.decision === 'ask_human' && typeof action.output === 'string')
        this.#answers.push(action.output);
      if (action.tool === undefined || action.outcome !== 'ok' || action.output === undefined) continue;
      this.#outputs.set(action.tool, [...(this.#outputs.get(action.tool) ?? []), action.output]);
    }
  }

  nextAnswer(): string | undefined {
    return this.#answers.shift();
  }

  next(tool: string): Json {
    const output = this.#outputs.get(tool)?.shift();
    if (output === undefined) throw new Error(`the record has no more outputs of ${tool}`);
    const note = `${tool} returned its recorded output`;
    if (!this.notes.includes(note)) this.notes.push(note);
    return output;
  }
}

function replayed(tool: Tool, record: RunRecord): Tool {
  const harmless = tool.annotations.readOnly && tool.ledgerOnly !== true;
  const overlaid = tool.simulatable === true;
  if (harmless || overlaid) return tool;
  const { preimage: _, output: __, ...face } = tool;
  return { ...face, handler: () => record.next(tool.name) };
}

function compare(
  before: readonly ExplainedAction[],
  after: readonly ExplainedAction[],
  notes: string[],
): ReplayReport {
  const differences: ReplayDifference[] = [];
  const asked = (action: ExplainedAction): boolean =>
    !(action.outcome === 'ok' && action.verdicts.some((v) => v.startsWith('ask:')));
  const then = before.filter(asked);
  for (let i = 0; i < Math.max(then.length, after.length); i++) {
    const [recorded, replayed] = [shape(then[i]), shape(after[i])];
    if (canonicalJson(recorded) !== canonicalJson(replayed)) {
      differences.push({ step: then[i]?.step ?? after[i]?.step ?? i + 1, recorded, replayed });
    }
  }
  return { mode: 'full', compared: Math.max(then.length, after.length), differences, notes };
}

function shape(action: ExplainedAction | undefined): Json {
  if (action === undefined) return null;
  return {
    decision: action.decision,
    tool: action.tool ?? null,
    input: action.input ?? null,
    outcome: action.outcome ?? null,
    output: action.output ?? null,
    failure: action.failure?.code ?? null,
  };
}
