// Owns: the order in which decisions, tool calls and transitions are looked at. Does not own: what each one does.
// I1 A decision goes ahead only if every enforcing middleware has seen exactly that decision and let it pass: a
//    middleware that answers "go" on its own is caught, because the innermost place was not reached.
// I2 Users' middleware can stop, delay or observe; it cannot widen.
import { OkaError, toFailure } from '../kernel/index.ts';
import {
  type Awaitable,
  type BuiltInMiddleware,
  type DecisionContext,
  GO,
  type Ruling,
  type ToolCall,
  type ToolOutcome,
  type TransitionContext,
} from './middleware.ts';

/** A call, and the way to its handler. */
export interface RunnableCall extends ToolCall {
  runHandler(): Awaitable<ToolOutcome>;
}

/** The chains of an engine, composed once. */
export class MiddlewareChain {
  readonly names: readonly string[];
  /** What becomes of a decision. A middleware that throws has refused it. */
  readonly decide: (context: DecisionContext) => Awaitable<Ruling>;
  /** What becomes of a transition. A middleware that throws has refused it. */
  readonly move: (context: TransitionContext) => Awaitable<Ruling>;
  /** What a call comes to. */
  readonly call: (call: RunnableCall) => Awaitable<ToolOutcome>;

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
    this.call = composeCalls(
      middleware.flatMap((one) => [
        { after: one.afterTool?.bind(one), around: undefined },
        { after: undefined, around: one.onTool?.bind(one) },
      ]),
    );
  }
}

interface RulingLayer<Context> {
  readonly check: ((context: Context) => Ruling | undefined) | undefined;
  readonly around: ((context: Context, next: () => Awaitable<Ruling>) => Awaitable<Ruling>) | undefined;
}

const go = (): Ruling => GO;

function composeRulings<Context>(
  all: readonly RulingLayer<Context>[],
  describe: (context: Context) => string,
): (context: Context) => Awaitable<Ruling> {
  const layers = all.filter(({ check, around }) => check ?? around);
  const ask = (context: Context, innermost: () => Ruling, from = 0): Awaitable<Ruling> => {
    for (let i = from; i < layers.length; i++) {
      const { check, around } = layers[i] as RulingLayer<Context>;
      const ruling = check?.(context);
      if (ruling !== undefined) return ruling;
      if (around !== undefined) return around(context, () => ask(context, innermost, i + 1));
    }
    return innermost();
  };
  const isOurs = layers.every(({ around }) => around === undefined);
  return (context) => {
    try {
      if (isOurs) return ask(context, go);
      const ruling = enforce((innermost) => ask(context, innermost), describe(context));
      return ruling instanceof Promise ? ruling.catch(refused) : ruling;
    } catch (error) {
      return refused(error);
    }
  };
}

function enforce(run: (innermost: () => Ruling) => Awaitable<Ruling>, what: string): Awaitable<Ruling> {
  let reached = 0;
  const ruling = run(() => {
    reached += 1;
    return GO;
  });
  const check = (answer: Ruling): Ruling => {
    if (answer.kind !== 'go' || reached === 1) return answer;
    throw new OkaError(
      'engine.middleware_violation',
      `a middleware let the ${what} pass without asking the ones after it; it must call next() exactly once.`,
    );
  };
  return ruling instanceof Promise ? ruling.then(check) : check(ruling);
}

function refused(error: unknown): Ruling {
  return { kind: 'refuse', failure: toFailure(error, 'engine.middleware_violation') };
}

type AfterTool = NonNullable<BuiltInMiddleware['afterTool']>;
type AroundTool = NonNullable<BuiltInMiddleware['onTool']>;

interface CallLayer {
  readonly after: AfterTool | undefined;
  readonly around: AroundTool | undefined;
}

function composeCalls(all: readonly CallLayer[]): (call: RunnableCall) => Awaitable<ToolOutcome> {
  const layers = joinAfters(all.filter(({ after, around }) => after ?? around));
  const make = (call: RunnableCall, from: number): Awaitable<ToolOutcome> => {
    const layer = layers[from];
    if (layer === undefined) return call.runHandler();
    const { after, around } = layer;
    if (around !== undefined) return around(call, () => make(call, from + 1));
    return lookAt(make(call, from + 1), after as AfterTool, call);
  };
  return (call) => make(call, 0);
}

/** Neighbours that only look at the outcome become one, so that it is waited for once. */
function joinAfters(layers: readonly CallLayer[]): readonly CallLayer[] {
  const joined: CallLayer[] = [];
  for (const layer of layers) {
    const outer = joined.at(-1)?.after;
    const inner = layer.after;
    if (outer === undefined || inner === undefined) joined.push(layer);
    else {
      const after: AfterTool = (call, outcome) => lookAt(inner(call, outcome), outer, call);
      joined.splice(-1, 1, { after, around: undefined });
    }
  }
  return joined;
}

function lookAt(outcome: Awaitable<ToolOutcome>, after: AfterTool, call: ToolCall): Awaitable<ToolOutcome> {
  return outcome instanceof Promise ? outcome.then((settled) => after(call, settled)) : after(call, outcome);
}
