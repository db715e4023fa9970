import fc from 'fast-check';
import type { BudgetLimits } from '../../src/engine/index.ts';
import { middlewarePlans } from './middleware.ts';
import type { Death, Hiccup } from './mortal-store.ts';
import { personMoves } from './people.ts';
import { CHILDREN_TOOL, type MoveKind, plannerPlans } from './planners.ts';
import type { Intervention, Scenario, Verdict } from './scenario.ts';
import { stateGraphs } from './state-graphs.ts';
import { type ConductKind, TOOL_NAMES, toolPlans } from './tools.ts';

/** What may happen in a scenario; what is left out does not. */
export interface Happenings {
  readonly conduct?: readonly ConductKind[];
  readonly moves?: readonly MoveKind[];
  readonly middleware?: boolean;
  readonly policy?: boolean;
  readonly people?: boolean;
  readonly interventions?: boolean;
  readonly deaths?: boolean;
  readonly hiccups?: boolean;
  readonly slowness?: boolean;
  readonly rateLimits?: boolean;
  readonly snapshots?: boolean;
  readonly simulate?: boolean;
  readonly helper?: boolean;
  readonly costs?: boolean;
  readonly limits?: fc.Arbitrary<BudgetLimits>;
}

const LIMITS: BudgetLimits = {
  steps: 14,
  tool_calls: 12,
  retries: 4,
  node_retries: 2,
  children: 4,
  depth: 2,
};

const deaths: fc.Arbitrary<readonly Death[]> = fc.array(
  fc.record({
    atCommit: fc.integer({ min: 1, max: 14 }),
    stored: fc.boolean(),
    how: fc.constantFrom('silent' as const, 'refusing' as const),
  }),
  { minLength: 0, maxLength: 3 },
);

const hiccups: fc.Arbitrary<readonly Hiccup[]> = fc.array(
  fc.record({ atCommit: fc.integer({ min: 2, max: 12 }), stored: fc.boolean() }),
  { maxLength: 2 },
);

const interventions = fc.array(
  fc.record({
    atCall: fc.integer({ min: 1, max: 8 }),
    what: fc.constantFrom<Intervention>('pause', 'cancel', 'signal', 'add budget'),
  }),
  { maxLength: 2 },
);

const verdicts: fc.Arbitrary<Scenario['verdicts']> = fc.record(
  Object.fromEntries(
    TOOL_NAMES.map((name) => [
      name,
      fc.array(
        fc.oneof(
          { arbitrary: fc.constant<Verdict>('ask'), weight: 4 },
          { arbitrary: fc.constant<Verdict>('allow'), weight: 2 },
          { arbitrary: fc.constant<Verdict>('deny'), weight: 1 },
        ),
        { minLength: 1, maxLength: 3 },
      ),
    ]),
  ),
);

export function scenarios(happens: Happenings): fc.Arbitrary<Scenario> {
  return fc.record({
    graph: stateGraphs([...TOOL_NAMES, CHILDREN_TOOL]),
    tools: toolPlans(happens.conduct ?? ['honest']),
    planner: plannerPlans(happens.moves ?? ['work', 'end'], { costs: happens.costs ?? false }),
    middleware: happens.middleware ? middlewarePlans() : fc.constant([]),
    verdicts: happens.policy ? verdicts : fc.constant({}),
    limits: happens.limits ?? fc.constant(LIMITS),
    people: happens.people ? personMoves() : fc.constant([]),
    interventions: happens.interventions ? interventions : fc.constant([]),
    deaths: happens.deaths ? deaths : fc.constant([]),
    hiccups: happens.hiccups ? hiccups : fc.constant([]),
    rateLimited: happens.rateLimits ? fc.boolean() : fc.constant(false),
    snapshots: happens.snapshots ? fc.boolean() : fc.constant(false),
    simulate: fc.constant(happens.simulate ?? false),
    slowness: happens.slowness ? fc.constantFrom(0, 0, 1, 2, 3) : fc.constant(0),
    helper: happens.helper ? fc.boolean() : fc.constant(false),
  });
}
