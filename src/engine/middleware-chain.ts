// Owns: the order in which middleware sees decisions, tool calls and transitions. Does not own: what each one does.
// I1 A decision passes only if every enforcing middleware has seen exactly that decision and allowed it: a middleware that
//    answers "go" on its own is detected, because the end of the chain was not reached.
// I2 User middleware can stop, delay or observe; it cannot allow more.
import { toFailure } from '../kernel/index.ts';
import {
  type BuiltInMiddleware,
  type DecisionContext,
  GO,
  MIDDLEWARE_ORDER,
  type Middleware,
  type MiddlewarePlace,
  type Ruling,
  refuse,
  type ToolCall,
  type ToolOutcome,
  type TransitionContext,
} from './middleware.ts';
import { shieldMiddleware } from './shield-middleware.ts';
import type { Awaitable } from './types.ts';

/** A call with access to its handler. */
export interface RunnableCall extends ToolCall {
  runHandler(): Promise<ToolOutcome>;
}

/** The middleware chains of an engine, composed once. */
export class MiddlewareChain {
  readonly names: readonly string[];
  /** The ruling on a decision. A middleware that throws refuses it. */
  readonly decide: (context: DecisionContext) => Promise<Ruling>;
  /** The ruling on a transition. A middleware that throws refuses it. */
  readonly move: (context: TransitionContext) => Promise<Ruling>;
  readonly call: (call: RunnableCall) => Promise<ToolOutcome>;

  constructor(middleware: readonly BuiltInMiddleware[]) {
    this.names = middleware.map((one) => one.name);
    this.decide = composeRulings(
      middleware.map((one) => ({
        check: one.checkDecision?.bind(one),
        around: one.onDecision?.bind(one),
      })),
      ({ decision }) => `decision on ${decision.kind}`,
    );
    this.move = composeRulings(
      middleware.map((one) => ({
        check: one.checkTransition?.bind(one),
        around: one.onTransition?.bind(one),
      })),
      ({ to }) => `transition to ${to}`,
    );
    this.call = composeCalls(middleware);
  }
}

interface RulingLayer<Context> {
  readonly check: ((context: Context) => Ruling | undefined) | undefined;
  readonly around: ((context: Context, next: () => Promise<Ruling>) => Awaitable<Ruling>) | undefined;
}

function composeRulings<Context>(
  all: readonly RulingLayer<Context>[],
  describe: (context: Context) => string,
): (context: Context) => Promise<Ruling> {
  const layers = all.filter(({ check, around }) => check ?? around);
  return async (context) => {
    let reached = 0;
    const ask = async (from: number): Promise<Ruling> => {
      for (let i = from; i < layers.length; i++) {
        const { check, around } = layers[i] as RulingLayer<Context>;
        const ruling = check?.(context);
        if (ruling !== undefined) return ruling;
        if (around !== undefined) return around(context, () => ask(i + 1));
      }
      reached += 1;
      return GO;
    };
    try {
      const ruling = await ask(0);
      if (ruling.kind !== 'go' || reached === 1) return ruling;
      const message = `A middleware allowed the ${describe(context)} without calling the ones after it. It must call next() exactly once.`;
      return refuse('engine.middleware_violation', message);
    } catch (error) {
      return { kind: 'refuse', failure: toFailure(error, 'engine.middleware_violation') };
    }
  };
}

function composeCalls(all: readonly BuiltInMiddleware[]): (call: RunnableCall) => Promise<ToolOutcome> {
  const layers = all.filter(({ afterTool, onTool }) => afterTool ?? onTool);
  const make = async (call: RunnableCall, from: number): Promise<ToolOutcome> => {
    const layer = layers[from];
    if (layer === undefined) return call.runHandler();
    const next = (): Promise<ToolOutcome> => make(call, from + 1);
    const outcome = await (layer.onTool ? layer.onTool(call, next) : next());
    return layer.afterTool ? layer.afterTool(call, outcome) : outcome;
  };
  return (call) => make(call, 0);
}

export interface PlacedMiddleware {
  readonly before: MiddlewarePlace;
  readonly middleware: Middleware;
}

/** Built-in middleware in its fixed order, with user middleware at the chosen positions. */
export function arrangeMiddleware(
  builtIn: ReadonlyMap<MiddlewarePlace, BuiltInMiddleware>,
  placed: readonly PlacedMiddleware[],
): readonly BuiltInMiddleware[] {
  return MIDDLEWARE_ORDER.flatMap((place) => {
    const own = builtIn.get(place);
    return [
      ...placed.filter((entry) => entry.before === place).map((entry) => shieldMiddleware(entry.middleware)),
      ...(own ? [own] : []),
    ];
  });
}
