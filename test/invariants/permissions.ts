// Owns: what policy and people have allowed, as they know it themselves, apart from what the engine makes of it.
import type { Grant, Grants, Policy } from '../../src/engine/index.ts';
import type { Agreement, StandingYes } from './people.ts';
import type { Scenario, Verdict } from './scenario.ts';
import { own } from './state-graphs.ts';
import type { ToolPlan } from './tools.ts';

/** Whether a call was free, had a yes of its own or a standing one, or needed one that nobody gave. */
export type Permission = 'free' | 'agreed' | 'standing' | 'missing' | 'forbidden';

export class Permissions {
  readonly agreements: Agreement[] = [];
  readonly standing: StandingYes[] = [];
  readonly #grants: Grant[] = [];
  readonly #scenario: Scenario;
  #epoch = 0;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
  }

  /** The policy is another one from here on. */
  change(): void {
    this.#epoch += 1;
  }

  readonly policy: Policy = {
    version: 'table/1',
    decide: ({ tool }) => ({ decision: this.#byTable(tool.name), rule: 'table', why: 'the table says so' }),
  };

  readonly grants: Grants = {
    of: (tool) => this.#grants.filter((grant) => grant.tool === tool),
    add: async (grant) => void this.#grants.push(grant),
  };

  /** What a call stands on. A yes is used up by the step that it is first used for. */
  of(
    plan: ToolPlan,
    call: {
      readonly run: string;
      readonly step: number;
      readonly state: string | undefined;
      readonly input: string;
    },
  ): Permission {
    const verdict = this.#verdict(plan.name, call.state);
    if (verdict === 'deny') return 'forbidden';
    if (verdict === 'allow') return 'free';
    const agreement = this.agreements.find(
      (candidate) =>
        candidate.run === call.run &&
        candidate.tool === plan.name &&
        candidate.input === call.input &&
        (candidate.usedBy === undefined || candidate.usedBy === call.step),
    );
    if (agreement) {
      agreement.usedBy = call.step;
      return 'agreed';
    }
    const covers = ({ tool, input }: StandingYes): boolean =>
      tool === plan.name && (input === call.input || (input === undefined && plan.risk === 'low'));
    return this.standing.some(covers) ? 'standing' : 'missing';
  }

  #verdict(tool: string, state: string | undefined): Verdict {
    const verdict = this.#byTable(tool);
    const asks = state !== undefined && own(this.#scenario.graph, state)?.approval === 'always';
    return verdict === 'allow' && asks ? 'ask' : verdict;
  }

  #byTable(tool: string): Verdict {
    const column = this.#scenario.verdicts[tool] ?? ['allow'];
    return column[this.#epoch % column.length] as Verdict;
  }
}
