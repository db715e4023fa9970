import { onTestFinished } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import {
  type Decision,
  Engine,
  MemoryArtifactStore,
  type PlanInput,
  type Policy,
  type RunState,
  type Tool,
} from '../../src/engine/index.ts';
import { type Json, OkaError } from '../../src/kernel/index.ts';
import type { Procedures } from '../../src/memory/index.ts';
import type { OpenLedger } from '../../src/runtime/index.ts';
import { type ProcedureServices, proceduresOn } from '../../src/runtime/memory/procedures.ts';
import { call, effectTool, finish, plannerOf, readTool, WORK_GRAPH } from '../support/engine-kit.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';

export const DAY_MS = 86_400_000;

const ALLOW: Policy = {
  version: 'allow',
  decide: () => ({ decision: 'allow', rule: 'test', why: 'all is allowed here' }),
};

/** What a run is to be like. */
interface Manner {
  readonly offer?: string;
  /** How long its write takes. */
  readonly ms?: number;
  readonly fails?: boolean;
  readonly untrusted?: boolean;
}

/** A real ledger, with an engine whose agent reads one path of its goal and writes another. */
export class LearningKit {
  readonly root: string;
  readonly clock: ManualClock;
  readonly ledger: OpenLedger;
  readonly engine: Engine;
  readonly tools: Tool[];
  #manner: Manner = {};

  constructor(names: readonly [reads: string, writes: string] = ['notes.read', 'notes.write']) {
    const [reads, writes] = names;
    this.root = tempFolder();
    this.clock = new ManualClock();
    this.ledger = openTestLedger(this.root, { clock: this.clock });
    onTestFinished(() => this.ledger.close());
    this.tools = [
      readTool(reads, (input: { path: string }) => ({ text: input.path })),
      effectTool(writes, () => this.#write()),
      readTool('rules.read', () => 'be brief'),
    ];
    this.engine = new Engine({
      tools: this.tools,
      kinds: [{ name: 'agent', graph: WORK_GRAPH, planner: plannerOf((input) => planPolish(input, names)) }],
      events: this.ledger.events,
      runs: this.ledger.runs,
      artifacts: new MemoryArtifactStore(this.clock),
      policy: ALLOW,
      clock: this.clock,
      random: seededRandom(1),
      recall: { recall: async () => this.#recalled() },
    });
  }

  get procedures(): Procedures {
    return proceduresOn(this.services, this.ledger);
  }

  get services(): ProcedureServices {
    return {
      folder: new WorkspaceFolder(this.root),
      clock: this.clock,
      random: seededRandom(1),
      ledger: () => this.ledger,
      writableRedacted: async () => this.ledger,
      tools: async () => this.tools,
      isTrusted: () => true,
    };
  }

  async pursue(goal: string, manner: Manner = {}): Promise<RunState> {
    this.#manner = manner;
    const untrusted = manner.untrusted ?? false;
    return this.engine.run({ kind: 'agent', goal, untrusted });
  }

  /** Three goals of one kind with other values, done without any procedure. */
  async pursueThree(ms = 1_000): Promise<RunState[]> {
    const runs: RunState[] = [];
    for (const name of ['one', 'two', 'three']) runs.push(await this.pursue(goalOf(name), { ms }));
    return runs;
  }

  /** A candidate from three runs; answers with its id. */
  async candidate(): Promise<string> {
    await this.pursueThree();
    const { proposed } = await this.procedures.score('tester');
    return proposed[0] as string;
  }

  /** A procedure that has proved itself. */
  async promoted(): Promise<string> {
    const id = await this.candidate();
    for (const name of ['four', 'five', 'six']) await this.pursue(goalOf(name), { offer: id, ms: 100 });
    await this.procedures.score('tester');
    return id;
  }

  async statusOf(id: string): Promise<string> {
    return (await this.procedures.show(id)).status;
  }

  /** Takes another version of a tool. */
  changeTool(name: string): void {
    const at = this.tools.findIndex((tool) => tool.name === name);
    this.tools[at] = { ...(this.tools[at] as Tool), version: '2' };
  }

  #write(): Json {
    this.clock.advance(this.#manner.ms ?? 0);
    if (this.#manner.fails) throw new OkaError('test.broken', 'it is broken.');
    return { done: true };
  }

  #recalled() {
    const { offer } = this.#manner;
    if (offer === undefined) return [];
    const output = {
      items: [{ kind: 'procedure', id: offer }],
      dropped: [{ kind: 'procedure', id: 'other' }],
    };
    return [{ step: 0, state: 'work', source: 'recall' as const, tool: 'context.pack', output }];
  }
}

export function goalOf(name: string): string {
  return `polish notes/${name}.md into out/${name}.md`;
}

/** Reads the first path of the goal, and the rules where it speaks of them; writes a fixed text to the second path. */
function planPolish(input: PlanInput, [reads, writes]: readonly [string, string]): Decision {
  const [from = '', to = ''] = input.goal.match(/\S+\/\S+/g) ?? [];
  const calls = input.evidence.filter(({ source }) => source === 'tool');
  const failure = calls.find((one) => one.failure)?.failure;
  if (failure)
    return { kind: 'fail', code: failure.code, reason: failure.message, rationale: 'a call failed' };
  const plan = [
    call(reads, { path: from, lines: 10 }),
    ...(input.goal.includes('rules') ? [call('rules.read', { path: 'rules.md' })] : []),
    call(writes, { path: to, text: 'polished' }),
  ];
  return plan[calls.length] ?? finish();
}
