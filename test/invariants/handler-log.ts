// Owns: what handlers saw when they were called, held against what the ledger said at that moment.
import type { ToolContext } from '../../src/engine/index.ts';
import { canonicalJson, type Json } from '../../src/kernel/index.ts';
import type { IntentFacts, LedgerModel } from './ledger-model.ts';
import type { Permission, Permissions } from './permissions.ts';
import type { Conduct, ToolPlan } from './tools.ts';

/** One call of a handler, as the handler saw it. */
export interface HandlerCall {
  readonly process: string;
  readonly plan: ToolPlan;
  readonly run: string;
  readonly step: number;
  readonly key: string;
  readonly input: string;
  readonly conduct: Conduct;
  /** The state that the run was in by its events. */
  readonly state: string | undefined;
  /** The intent that stood open for the run. */
  readonly intent: IntentFacts | undefined;
  readonly runEnded: boolean;
  /** A run above it was over. */
  readonly orphaned: boolean;
  readonly permission: Permission;
  /** How far the ledger was. */
  readonly seq: number;
  /** What the handler gave, when it gave something that can be written down. */
  output?: string;
}

export class HandlerLog {
  readonly calls: HandlerCall[] = [];
  /** Handlers that were begun by a process that was dead already, for an effect that the ledger knows nothing of. */
  readonly ghosts: string[] = [];
  readonly #model: LedgerModel;
  readonly #permissions: Permissions;
  readonly #turnsOfTool = new Map<string, number>();

  constructor(model: LedgerModel, permissions: Permissions) {
    this.#model = model;
    this.#permissions = permissions;
  }

  /** Notes a call and says how its handler behaves; undefined when the process is dead and does nothing any more. */
  begin(
    process: { readonly name: string; readonly dead: boolean },
    plan: ToolPlan,
    input: Json,
    context: ToolContext,
  ) {
    const { runId: run, step, idempotencyKey: key } = context;
    const facts = this.#model.runs.get(run);
    const intent = facts?.intents.find((candidate) => candidate.open);
    if (process.dead) {
      const intended = facts?.intents.some((one) => one.step === step && one.tool === plan.name) ?? false;
      if (plan.sideEffect !== 'read' && !intended) this.ghosts.push(`${plan.name} in ${process.name}`);
      return undefined;
    }
    const conduct = this.#nextConduct(plan);
    const text = writeDown(input) ?? 'unwritable';
    const call: HandlerCall = {
      process: process.name,
      plan,
      run,
      step,
      key,
      input: text,
      conduct,
      state: facts?.state,
      intent,
      runEnded: facts?.ended !== undefined,
      orphaned: facts !== undefined && this.#model.isOrphaned(facts),
      permission: this.#permissions.of(plan, { run, step, state: facts?.state, input: text }),
      seq: this.#model.seq,
    };
    this.calls.push(call);
    const end = (output: unknown): void => {
      const given = writeDown(output ?? null);
      if (given !== undefined) call.output = given;
    };
    return { conduct, end };
  }

  #nextConduct(plan: ToolPlan): Conduct {
    const turns = this.#turnsOfTool.get(plan.name) ?? 0;
    this.#turnsOfTool.set(plan.name, turns + 1);
    return plan.conduct[turns % plan.conduct.length] as Conduct;
  }
}

function writeDown(value: unknown): string | undefined {
  try {
    return canonicalJson(value);
  } catch {
    return undefined;
  }
}
