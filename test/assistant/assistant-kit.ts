import { agentKind } from '../../src/agent/index.ts';
import { assistantKind } from '../../src/assistant/index.ts';
import type { AssistantKindOptions } from '../../src/assistant/ports.ts';
import { Engine, type EngineOptions, type Policy, type RunState, type Tool } from '../../src/engine/index.ts';
import { canonicalJson, type Json, type JsonObject } from '../../src/kernel/index.ts';
import {
  type ModelAnswer,
  type ModelProvider,
  type ModelRequest,
  parseStructured,
} from '../../src/models/index.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { seededRandom } from '../support/seeded-random.ts';

export const ALLOW: Policy = {
  version: 'allow',
  decide: () => ({ decision: 'allow', rule: 'test', why: 'all is allowed here' }),
};

type Turn = Json | Error | ((request: ModelRequest) => Partial<ModelAnswer>);

/** Plays each role from a list of its own; the executor answers `did: <first line of the goal>` where nothing else is given. */
export class RoleModel implements ModelProvider {
  readonly name = 'roles';
  readonly asked: Record<'planner' | 'critic' | 'executor', ModelRequest[]> = {
    planner: [],
    critic: [],
    executor: [],
  };
  readonly #turns: Record<string, Turn[]>;

  constructor(turns: { planner?: Turn[]; critic?: Turn[]; executor?: Turn[] }) {
    this.#turns = { planner: [], critic: [], executor: [], ...turns };
  }

  async complete(request: ModelRequest): Promise<ModelAnswer> {
    const role = request.purpose?.role as 'planner' | 'critic' | 'executor';
    this.asked[role].push(structuredClone({ ...request }));
    const turn = this.#turns[role]?.shift();
    if (turn === undefined && role !== 'executor') throw new Error(`nobody expected the ${role} to be asked`);
    if (turn instanceof Error) throw turn;
    return {
      text: '',
      toolCalls: [],
      usage: { inputTokens: 10, outputTokens: 5 },
      finish: 'stop',
      model: 'roles-1',
      provider: this.name,
      requestDigest: 'sha256:0' as never,
      ...toAnswer(turn, request),
    };
  }

  async *stream(request: ModelRequest) {
    yield { kind: 'answer' as const, answer: await this.complete(request) };
  }
}

function toAnswer(turn: Turn | undefined, request: ModelRequest): Partial<ModelAnswer> {
  if (typeof turn === 'function') return turn(request);
  if (turn === undefined) return { text: `did: ${goalOf(request)}` };
  if (request.output === undefined) return { text: String(turn) };
  // As real providers do: what does not fit the schema is refused as malformed.
  const text = canonicalJson(turn as Json);
  return { text, json: parseStructured(text, request.output.schema) };
}

/** The first line of what an agent was asked to do. */
export function goalOf(request: ModelRequest): string {
  return request.messages[0]?.content.split('\n')[0] ?? '';
}

/** A task with the least that it needs. */
export function task(id: string, more: JsonObject = {}): JsonObject {
  return { id, title: `do ${id}`, depends_on: [], acceptance: [{ task_completed: true }], ...more };
}

export function plan(...tasks: readonly JsonObject[]): Json {
  return { goal: 'everything in order', tasks };
}

interface Setting extends Partial<EngineOptions> {
  readonly assistant?: Partial<AssistantKindOptions>;
  readonly more?: readonly Tool[];
}

/** An engine with assistants and agents, whose only built-in tools are those that the loop itself needs. */
export function assistantEngine(model: ModelProvider | undefined, setting: Setting = {}): Engine {
  const { assistant, more = [], ...options } = setting;
  const models = model && { find: async () => ({ provider: model, model: 'm' }) };
  const given = new Set(more.map(({ name }) => name));
  const own = builtInTools().filter(
    ({ name }) =>
      ['engine.run_children', 'assistant.check', 'process.run'].includes(name) && !given.has(name),
  );
  return new Engine({
    tools: [...own, ...more],
    kinds: [
      assistantKind({ ...(models ? { models } : {}), ...assistant }),
      agentKind(models ? { models } : {}),
    ],
    policy: ALLOW,
    clock: options.clock ?? new ManualClock(),
    random: seededRandom(5),
    ...options,
  });
}

export const GOAL = { kind: 'assistant', goal: 'put everything in order', vars: { model: 'm' } };

/** Answers the one question that a run waits with, and goes on. */
export async function answer(engine: Engine, run: RunState, text: string): Promise<RunState> {
  const { waiting } = run;
  if (waiting?.for !== 'answer') throw new Error(`the run waits for ${waiting?.for ?? 'nothing'}`);
  await engine.decide(waiting.id, { kind: 'answer', answer: text }, 'ann');
  return engine.resume(run.id);
}

export async function states(engine: Engine, run: RunState): Promise<readonly string[]> {
  return (await engine.explain(run.id)).timeline.map(({ state }) => state);
}
